import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { isApiError } from '../api/api-error.ts';
import { shellTexts } from '../texts/shell.ts';
import { FailureText } from './failure-text.tsx';

export function toastError(error: Error): void {
  notifications.show({
    // Several requests with the same error show one toast.
    id: isApiError(error) ? `${error.code} ${error.message}` : error.message,
    color: 'red',
    title: shellTexts.failure,
    message: <FailureText error={error} />,
    autoClose: 15_000,
    closeButtonProps: { 'aria-label': shellTexts.close },
  });
}

const UNDO_TOAST = 'undo';

/** Confirms an action that can be undone. A later one replaces it. */
export function toastUndo(message: string, undo: () => void): void {
  hideUndoToast();
  notifications.show({
    id: UNDO_TOAST,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text>{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            hideUndoToast();
            undo();
          }}
        >
          {shellTexts.undo}
        </Button>
      </Group>
    ),
    closeButtonProps: { 'aria-label': shellTexts.close },
  });
}

/** Something else has changed, so that an undo would undo that. */
export function hideUndoToast(): void {
  notifications.hide(UNDO_TOAST);
}

/** Confirms an action without a visible result. */
export function toastSuccess(message: string): void {
  notifications.show({
    color: 'green',
    message,
    closeButtonProps: { 'aria-label': shellTexts.close },
  });
}
