import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { shellTexts } from '../texts/shell.ts';

/** Asks before something is deleted. `text` names what goes with it. */
export function confirmDelete(options: {
  title: string;
  text: string;
  confirm: string;
  onConfirm: () => void;
}): void {
  modals.openConfirmModal({
    title: options.title,
    children: <Text size="sm">{options.text}</Text>,
    labels: { confirm: options.confirm, cancel: shellTexts.cancel },
    confirmProps: { color: 'red' },
    // Nothing is deleted by an Enter too many.
    cancelProps: { 'data-autofocus': true },
    onConfirm: options.onConfirm,
  });
}
