import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { unsavedTexts } from '../texts/unsaved.ts';

const texts = unsavedTexts;

/**
 * Asks for confirmation before the user leaves the screen or closes the page while `when` is true.
 */
export function UnsavedWarning({ when }: { when: boolean }) {
  const blocker = useBlocker({
    // Filters and open dialogs change the URL too, but not the screen.
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
