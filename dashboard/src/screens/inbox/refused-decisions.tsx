import { Box, Button, Stack, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { notifications } from '@mantine/notifications';
import { FailureText } from '../../components/failure-text.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { unconfirmedTexts } from '../../texts/late-decision.ts';
import { shellTexts } from '../../texts/shell.ts';
import { UnconfirmedError } from './lost-response.ts';

const TOAST = 'refused-decisions';

/**
 * The refused decisions, and those that may not count, in one toast: it stays, and several of them
 * would leave no room for an undo. A decision leaves it when the user opens its task or decides
 * again.
 */
export function createRefusedDecisions(open: (taskId: string) => void) {
  const refused = new Map<string, { title: string; error: Error }>();

  function remove(taskId: string): void {
    if (refused.delete(taskId)) show();
  }

  function show(): void {
    if (refused.size === 0) return void notifications.hide(TOAST);
    const toast = {
      id: TOAST,
      color: 'red',
      title: titleOf([...refused.values()]),
      message: (
        <Stack gap="sm" mah={320} style={{ overflowY: 'auto' }}>
          {[...refused].map(([taskId, { title, error }]) => (
            <Box key={taskId}>
              {refused.size > 1 && <Text fw={600}>{title}</Text>}
              <FailureText error={error} />
              <Button
                mt="xs"
                size="compact-sm"
                variant="default"
                aria-label={texts.openRefused(title)}
                onClick={() => {
                  // A task that is open already isn't opened again.
                  if (location.pathname === `/tasks/${taskId}`) remove(taskId);
                  open(taskId);
                }}
              >
                {texts.openTask}
              </Button>
            </Box>
          ))}
        </Stack>
      ),
      // By default, a toast has room for the reason of one refusal.
      style: { maxHeight: 400 },
      autoClose: false,
      closeButtonProps: { 'aria-label': shellTexts.close },
      onClose: () => refused.clear(),
    };
    // The first call ignores a toast that is shown, and only the second one changes it.
    notifications.show(toast);
    notifications.update(toast);
  }

  return {
    add(task: TaskOut, error: Error): void {
      refused.set(task.id, { title: task.title ?? texts.untitled, error });
      show();
    },
    remove,
  };
}

function titleOf(refused: readonly { title: string; error: Error }[]): string {
  const isUnknown = refused.some(({ error }) => error instanceof UnconfirmedError);
  const [{ title } = { title: '' }, ...others] = refused;
  if (others.length > 0)
    return isUnknown ? unconfirmedTexts.several(refused.length) : texts.severalNotSent(refused.length);
  return isUnknown ? unconfirmedTexts.title(title) : texts.notSent(title);
}

export type RefusedDecisions = ReturnType<typeof createRefusedDecisions>;
