import { Button, Modal, Stack, Text } from '@mantine/core';
import { deletedTexts as texts } from '../texts/deleted-form.ts';

/** Offers the choices after the form on the screen was deleted. */
export function DeletedFormDialog({
  opened,
  onClose,
  onDiscard,
  onSaveAsNew,
  isSaving,
}: {
  opened: boolean;
  onClose: () => void;
  onDiscard: () => void;
  onSaveAsNew: () => void;
  isSaving: boolean;
}) {
  return (
    <Modal opened={opened} onClose={onClose} withCloseButton={false} title={texts.title}>
      <Stack>
        <Text>{texts.text}</Text>
        <Button variant="default" onClick={onDiscard}>
          {texts.discard}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.later}
        </Button>
        <Button loading={isSaving} onClick={onSaveAsNew} data-autofocus>
          {texts.saveAsNew}
        </Button>
      </Stack>
    </Modal>
  );
}
