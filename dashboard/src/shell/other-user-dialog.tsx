import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { OpenedModal } from '../components/opened-modal.tsx';
import { otherUserTexts as texts } from '../texts/other-user.ts';

/**
 * A dialog over the screen, because what the user `name` decides or saves would be done by another
 * one.
 */
export function OtherUserDialog({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <OpenedModal
      onClose={() => setOpen(false)}
      title={texts.title}
      // Over the dialog that asks to log in again.
      zIndex={600}
    >
      <Stack>
        <Text>{texts.text(name)}</Text>
        <Button data-autofocus onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
      </Stack>
    </OpenedModal>
  );
}
