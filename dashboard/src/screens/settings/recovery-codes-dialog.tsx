import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { secretTexts } from '../../texts/secret.ts';
import { settingsTexts } from '../../texts/settings.ts';

const texts = settingsTexts.secondFactor;

/**
 * Shows new recovery codes, once. Only the button closes the dialog, and leaving the page asks
 * first.
 */
export function RecoveryCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <OpenedModal
      hasChanges
      question={secretTexts.leave}
      onClose={onDone}
      title={texts.codesTitle}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text>{texts.codesText}</Text>
        <Code block tabIndex={0} aria-label={texts.codesTitle}>
          {codes.join('\n')}
        </Code>
        <Group justify="space-between">
          <CopyButton text={codes.join('\n')} what={texts.codesTitle} size="sm" />
          <Button onClick={onDone}>{texts.codesDone}</Button>
        </Group>
      </Stack>
    </OpenedModal>
  );
}
