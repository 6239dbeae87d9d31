import { Alert, Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { canRetry } from '../api/api-error.ts';
import { shellTexts } from '../texts/shell.ts';
import { FailureText } from './failure-text.tsx';

/** A dialog may be scrolled down to the button whose request has failed. */
const scrollIntoView = (alert: HTMLDivElement | null): void => {
  if (alert?.closest('[role="dialog"]')) alert.scrollIntoView({ block: 'center' });
};

/**
 * Shows an error in place, if there is one. `inputs` are the paths whose inputs show their errors.
 * `nameOf` says what users call the value at a path. `retry` is offered if it may help.
 */
export function FailureAlert({
  error,
  inputs,
  nameOf,
  retry,
}: {
  error: Error | null;
  inputs?: readonly string[];
  nameOf?: (parts: readonly string[]) => string;
  retry?: () => unknown;
}) {
  if (!error) return null;
  return (
    <Alert
      ref={scrollIntoView}
      role="alert"
      variant="outline"
      color="red"
      icon={<IconAlertCircle aria-hidden />}
    >
      <FailureText error={error} {...(inputs && { inputs })} nameOf={nameOf} />
      {retry && canRetry(error) && (
        <Button mt="xs" size="xs" variant="default" onClick={() => void retry()}>
          {shellTexts.retry}
        </Button>
      )}
    </Alert>
  );
}
