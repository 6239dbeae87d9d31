import { Button, Modal, Stack, Text } from '@mantine/core';
import { conflictTexts } from '../texts/conflict.ts';

const texts = conflictTexts;

/** Offers the choices after a save conflict with a version that was saved elsewhere. */
export function ConflictDialog({
  opened,
  title = texts.title,
  onClose,
  onLoadTheirs,
  onSaveMine,
}: {
  opened: boolean;
  title?: string;
  onClose: () => void;
  onLoadTheirs: () => void;
  onSaveMine: () => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text>{texts.text}</Text>
        <Button variant="default" onClick={onLoadTheirs}>
          {texts.theirs}
        </Button>
        <Button variant="default" onClick={onSaveMine}>
          {texts.mine}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {texts.back}
        </Button>
      </Stack>
    </Modal>
  );
}
