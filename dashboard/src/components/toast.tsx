import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { isTransient } from '../api/api-error.ts';
import { shellTexts } from '../texts/shell.ts';
import { FailureText } from './failure-text.tsx';

/** All requests that the server can't answer have one toast; other errors have another. */
const ERROR_TOASTS = { unavailable: 'error-unavailable', refused: 'error-refused' };

/**
 * Shows an error until the next success. A later one replaces it. `nameOf` says what users call the
 * value at a path.
 */
export function toastError(error: Error, nameOf?: (parts: readonly string[]) => string): void {
  const id = isTransient(error) ? ERROR_TOASTS.unavailable : ERROR_TOASTS.refused;
  notifications.hide(id);
  notifications.show({
    id,
    color: 'red',
    title: shellTexts.failure,
    message: <FailureText error={error} nameOf={nameOf} />,
    autoClose: 15_000,
    closeButtonProps: { 'aria-label': shellTexts.close },
  });
}

/** Something has worked since, so that an older error would only confuse. */
export function hideErrors(): void {
  for (const id of Object.values(ERROR_TOASTS)) notifications.hide(id);
}

const OFFLINE_TOAST = 'offline';

/**
 * Shows a notice while the browser is offline: queries wait then, so that screens look current or
 * slow.
 */
export function toastConnection(isOnline: boolean): void {
  if (isOnline) notifications.hide(OFFLINE_TOAST);
  else {
    notifications.show({
      id: OFFLINE_TOAST,
      color: 'orange',
      message: shellTexts.offline,
      autoClose: false,
      withCloseButton: false,
    });
  }
}

const UNDO_TOAST = 'undo';

/** Confirms an action that can be undone. A later one replaces it. */
export function toastUndo(message: string, undo: () => void): void {
  hideUndoToast();
  let focusedBefore: Element | null = null;
  notifications.show({
    id: UNDO_TOAST,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text>{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onFocus={({ relatedTarget }) => {
            focusedBefore = relatedTarget;
          }}
          onClick={() => {
            hideUndoToast();
            undo();
            // The button, which has the focus, disappears.
            if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
          }}
        >
          {shellTexts.undo}
        </Button>
      </Group>
    ),
    closeButtonProps: { 'aria-label': shellTexts.close },
  });
}

/** Call this after another change, because Undo would then revert that change. */
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
