import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { shellTexts } from '../texts/shell.ts';

const texts = shellTexts.unsaved;

/** Asks before the screen is left, by a link or by closing the page, while `when` says that something isn't saved. */
export function UnsavedWarning({ when }: { when: boolean }) {
  const blocker = useBlocker({
    // Filters and open dialogs are in the address too; the screen stays.
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.status === 'blocked'} onClose={stay} title={texts.title}>
      <Stack>
        <Text>{texts.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {texts.leave}
          </Button>
          <Button onClick={stay} data-autofocus>
            {texts.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
