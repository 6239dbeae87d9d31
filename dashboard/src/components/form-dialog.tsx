import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FailureAlert } from './failure-alert.tsx';
import { OpenedModal } from './opened-modal.tsx';

/**
 * A dialog with inputs and one button. It stays open when `onSubmit` fails, and when somebody
 * clicks beside it. `inputs` are the paths whose inputs show their errors.
 */
export function FormDialog({
  title,
  confirm,
  error,
  inputs,
  hasChanges,
  isSaving,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  confirm: string;
  error: Error | null;
  inputs: readonly string[];
  hasChanges: boolean;
  isSaving: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <OpenedModal
      hasChanges={hasChanges && !isSaving}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event);
        }}
      >
        <Stack>
          <FailureAlert error={error} inputs={inputs} comesIntoView />
          {children}
          <Button type="submit" loading={isSaving}>
            {confirm}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}
