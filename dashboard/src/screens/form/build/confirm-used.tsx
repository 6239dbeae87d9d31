import { List } from '@mantine/core';
import { confirmDelete } from '../../../components/delete-button.tsx';

/**
 * Asks before something is removed that logic uses, because that changes other parts of the form.
 */
export function confirmUsed(
  question: { title: string; text: string; confirm: string },
  uses: readonly string[],
  remove: () => void,
): void {
  if (uses.length === 0) return remove();
  confirmDelete({
    ...question,
    details: (
      <List>
        {uses.map((use, index) => (
          <List.Item key={index}>{use}</List.Item>
        ))}
      </List>
    ),
    onConfirm: remove,
  });
}
