import { Box, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { VERIFICATION, type VerificationLanguage } from './verification.ts';

const texts = webhooksTexts.verification;
const LANGUAGES = Object.keys(VERIFICATION) as VerificationLanguage[];

/** Code that verifies webhook signatures. */
export function VerificationPanel() {
  const [language, setLanguage] = useState<VerificationLanguage>('Node.js');
  return (
    <Box component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Text>{texts.text}</Text>
        <SegmentedControl
          aria-label={texts.language}
          value={language}
          data={LANGUAGES}
          onChange={(chosen) => setLanguage(chosen as VerificationLanguage)}
          style={{ alignSelf: 'flex-start' }}
        />
        <CodeBlock title={language} code={VERIFICATION[language]} />
      </Stack>
    </Box>
  );
}
