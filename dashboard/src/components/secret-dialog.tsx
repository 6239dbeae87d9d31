import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { secretTexts } from '../texts/secret.ts';
import { CopyButton } from './copy-button.tsx';
import { OpenedModal } from './opened-modal.tsx';

/**
 * Shows a secret that the API returns only once. Only the button closes the dialog, so that a stray
 * click can't lose the secret, and leaving the page asks first. The dialog is open while `secret`
 * isn't null.
 */
export function SecretDialog({
  title,
  label,
  secret,
  onDone,
}: {
  title: string;
  label: string;
  secret: string | null;
  onDone: () => void;
}) {
  if (secret === null) return null;
  return (
    <OpenedModal
      hasChanges
      question={secretTexts.leave}
      onClose={onDone}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Text>{secretTexts.once}</Text>
        <TextInput
          label={label}
          value={secret}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group justify="space-between">
          <CopyButton text={secret} what={label} size="sm" />
          <Button onClick={onDone}>{secretTexts.done}</Button>
        </Group>
      </Stack>
    </OpenedModal>
  );
}
