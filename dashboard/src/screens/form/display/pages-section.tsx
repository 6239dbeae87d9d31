import { Alert, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { checkPage } from '@svcforms/contracts';
import { useState } from 'react';
import { LinesInput } from '../../../components/lines-input.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { ruleText } from '../../../texts/display-check.ts';
import { displayTexts } from '../../../texts/display.ts';
import { withProperty } from '../draft/with-property.ts';
import { urlPath } from './url-path.ts';
import type { SectionProps } from './section-props.ts';

const texts = displayTexts.pages;
/** docs/reference/popups.md#page-targeting */
const MAX_PATHS = 20;
const MAX_LENGTH = 200;

/** Page targeting, with a URL to test it. */
export function PagesSection({ popup, onChange, error }: SectionProps) {
  const [tried, setTried] = useState('');
  const { include = [], exclude = [] } = popup.pages ?? {};
  const all = [include, exclude];
  const set = (key: 'include' | 'exclude', paths: string[]) => {
    const pages = withProperty(popup.pages ?? {}, key, paths.length > 0 ? paths : undefined);
    onChange(withProperty(popup, 'pages', Object.keys(pages).length > 0 ? pages : undefined));
  };
  const result = tried.trim() === '' ? undefined : checkPage(popup.pages, urlPath(tried));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <LinesInput
          label={texts.include}
          hint={texts.includeHint}
          lines={include}
          error={error('pages.include')}
          onChange={(paths) => set('include', paths)}
        />
        <LinesInput
          label={texts.exclude}
          hint={texts.excludeHint}
          lines={exclude}
          error={error('pages.exclude')}
          onChange={(paths) => set('exclude', paths)}
        />
      </SimpleGrid>
      {all.some((paths) => paths.length > MAX_PATHS) && <Alert variant="outline">{texts.tooMany}</Alert>}
      {all.flat().some((path) => path.length > MAX_LENGTH) && (
        <Alert variant="outline">{texts.tooLong}</Alert>
      )}
      <TextInput
        label={texts.test}
        placeholder={texts.testHint}
        value={tried}
        onChange={({ currentTarget }) => setTried(currentTarget.value)}
      />
      <div role="status">
        {result && (
          <>
            <StatusBadge tone={result.ok ? 'good' : 'bad'}>
              {result.ok ? texts.shown : texts.notShown}
            </StatusBadge>
            <Text>{ruleText(result)}</Text>
          </>
        )}
      </div>
    </Stack>
  );
}
