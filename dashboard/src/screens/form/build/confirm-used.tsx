import { List, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { buildTexts } from '../../../texts/build.ts';

const texts = buildTexts.logic;

/**
 * Asks before something is removed that logic uses, because that changes other parts of the form.
 */
export function confirmUsed(
  question: { title: string; text: string; confirm: string },
  uses: readonly string[],
  remove: () => void,
): void {
  if (uses.length === 0) return remove();
  modals.openConfirmModal({
    title: question.title,
    children: (
      <>
        <Text>{question.text}</Text>
        <List>
          {uses.map((use, index) => (
            <List.Item key={index}>{use}</List.Item>
          ))}
        </List>
      </>
    ),
    labels: { confirm: question.confirm, cancel: texts.cancel },
    confirmProps: { color: 'red' },
    onConfirm: remove,
  });
}
