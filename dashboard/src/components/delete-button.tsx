import { Button, Text, type ButtonProps } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';

interface Question {
  title: string;
  /** Says what else happens. */
  text: string;
  /** Below the text. */
  details?: ReactNode;
  confirm: string;
  onConfirm: () => void;
}

/** Asks for confirmation before a deletion, or the end of something. */
export function confirmDelete({ title, text, details, confirm, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: (
      <>
        <Text>{text}</Text>
        {details}
      </>
    ),
    labels: { confirm, cancel: shellTexts.cancel },
    confirmProps: { color: 'red' },
    // An accidental Enter must not confirm anything.
    cancelProps: { 'data-autofocus': true },
    onConfirm,
  });
}

/** Deletes after a confirmation. `name` is the label for screen readers. */
export function DeleteButton({
  question,
  name,
  ...props
}: { question: Question; name?: string } & Pick<ButtonProps, 'size' | 'loading'>) {
  return (
    <Button
      variant="default"
      c="var(--mantine-color-error)"
      aria-label={name}
      onClick={() => confirmDelete(question)}
      {...props}
    >
      {question.confirm}
    </Button>
  );
}
