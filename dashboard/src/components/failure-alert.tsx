import { Alert, Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { canRetry } from '../api/api-error.ts';
import { shellTexts } from '../texts/shell.ts';
import { FailureText } from './failure-text.tsx';

const scrollIntoView = (alert: HTMLDivElement | null): void => alert?.scrollIntoView({ block: 'center' });

/**
 * Shows an error in place, if there is one. `inputs` are the paths whose inputs show their errors.
 * `nameOf` says what users call the value at a path, `conflict` what somebody else did meanwhile.
 * `retry` is offered if it may help. `comesIntoView` is for the failed request of a button that the
 * user may have scrolled down to.
 */
export function FailureAlert({
  error,
  inputs,
  nameOf,
  conflict,
  retry,
  comesIntoView = false,
}: {
  error: Error | null;
  inputs?: readonly string[];
  nameOf?: (parts: readonly string[]) => string;
  conflict?: string;
  retry?: () => unknown;
  comesIntoView?: boolean;
}) {
  if (!error) return null;
  return (
    <Alert
      ref={comesIntoView ? scrollIntoView : null}
      role="alert"
      variant="outline"
      color="red"
      icon={<IconAlertCircle aria-hidden />}
    >
      <FailureText error={error} {...(inputs && { inputs })} nameOf={nameOf} conflict={conflict} />
      {retry && canRetry(error) && (
        <Button mt="xs" size="xs" variant="default" onClick={() => void retry()}>
          {shellTexts.retry}
        </Button>
      )}
    </Alert>
  );
}
