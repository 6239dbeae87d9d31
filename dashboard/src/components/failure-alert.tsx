import { Alert, Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { shellTexts } from '../texts/shell.ts';
import { FailureText } from './failure-text.tsx';

/** Shows an error in place, if there is one. */
export function FailureAlert({ error, retry }: { error: Error | null; retry?: () => unknown }) {
  if (!error) return null;
  return (
    <Alert role="alert" variant="outline" color="red" icon={<IconAlertCircle aria-hidden />}>
      <FailureText error={error} />
      {retry && (
        <Button mt="xs" size="xs" variant="default" onClick={() => void retry()}>
          {shellTexts.retry}
        </Button>
      )}
    </Alert>
  );
}
