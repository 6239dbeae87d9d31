import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

/** The same code in several languages, one at a time. */
export function CodeSamples({ samples }: { samples: Readonly<Record<string, string>> }) {
  const languages = Object.keys(samples);
  const [language, setLanguage] = useState(languages[0] ?? '');
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={webhooksTexts.verification.language}
        value={language}
        data={languages}
        onChange={setLanguage}
        style={{ alignSelf: 'flex-start' }}
      />
      <CodeBlock title={language} code={samples[language] ?? ''} />
    </Stack>
  );
}
