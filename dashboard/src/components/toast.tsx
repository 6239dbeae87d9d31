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

/** Confirms an action without a visible result. */
export function toastSuccess(message: string): void {
  notifications.show({
    color: 'green',
    message,
    closeButtonProps: { 'aria-label': shellTexts.close },
  });
}
