import { Box, Stack, Text, Title } from '@mantine/core';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { CodeSamples } from './code-samples.tsx';
import { VERIFICATION } from './verification.ts';

const texts = webhooksTexts.verification;

/** Code that verifies webhook signatures. */
export function VerificationPanel() {
  return (
    <Box component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Text>{texts.text}</Text>
        <CodeSamples samples={VERIFICATION} />
      </Stack>
    </Box>
  );
}
