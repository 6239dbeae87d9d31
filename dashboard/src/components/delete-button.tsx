import { Button, Text, type ButtonProps } from '@mantine/core';
import { modals } from '@mantine/modals';
import { shellTexts } from '../texts/shell.ts';

interface Question {
  title: string;
  /** Names what goes with it. */
  text: string;
  confirm: string;
  onConfirm: () => void;
}

/** Asks before something is deleted. */
export function confirmDelete({ title, text, confirm, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text>{text}</Text>,
    labels: { confirm, cancel: shellTexts.cancel },
    confirmProps: { color: 'red' },
    // Nothing is deleted by an Enter too many.
    cancelProps: { 'data-autofocus': true },
    onConfirm,
  });
}

/** Deletes something, after a question. `name` says what, for those who hear the button alone. */
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
