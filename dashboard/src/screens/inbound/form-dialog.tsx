import { Button, Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';

/** A dialog with inputs and one button. It stays open when `onSubmit` fails. */
export function FormDialog({
  title,
  confirm,
  error,
  hasChanges,
  isSaving,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  confirm: string;
  error: Error | null;
  hasChanges: boolean;
  isSaving: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <OpenedModal
      hasChanges={hasChanges && !isSaving}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack>
          <FailureAlert error={error} inputs={['name', 'secret']} />
          {children}
          <Button type="submit" loading={isSaving}>
            {confirm}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}

/** The input for the name of an inbound endpoint. */
export function NameInput({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}) {
  return (
    <TextInput
      label={texts.name}
      description={texts.nameHint}
      required
      maxLength={100}
      autoComplete="off"
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
