import { Box, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { CodeSamples } from './code-samples.tsx';
import { PUBLIC_KEY_VERIFICATION } from './public-key-verification.ts';

const texts = webhooksTexts.publicKey;

/** The public key of a webhook, and code that verifies signatures with it. */
export function PublicKeyPanel({ publicKey }: { publicKey: string }) {
  return (
    <Box component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Text>{texts.text}</Text>
        <Group align="end" gap="xs">
          <TextInput
            label={texts.key}
            value={publicKey}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            style={{ flex: 1 }}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <CopyButton text={publicKey} what={texts.key} size="sm" />
        </Group>
        <CodeSamples samples={PUBLIC_KEY_VERIFICATION} />
      </Stack>
    </Box>
  );
}
