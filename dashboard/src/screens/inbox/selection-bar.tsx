import { Button, Checkbox, Group, Text } from '@mantine/core';
import { inboxTexts } from '../../texts/inbox.ts';

const texts = inboxTexts.bulk;

/** Decides all selected tasks at once. */
export function SelectionBar({
  count,
  total,
  onSelectAll,
  onClear,
  onDecide,
}: {
  /** How many tasks are selected, and how many can be. */
  count: number;
  total: number;
  onSelectAll: () => void;
  onClear: () => void;
  onDecide: (outcome: 'approved' | 'rejected') => void;
}) {
  if (total === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={texts.title}>
      <Checkbox
        label={count === 0 ? texts.selectAll : texts.selected(count)}
        checked={count === total}
        indeterminate={count > 0 && count < total}
        onChange={() => (count === total ? onClear() : onSelectAll())}
      />
      {count > 0 && (
        <>
          <Button size="compact-sm" onClick={() => onDecide('approved')}>
            {inboxTexts.approve}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onDecide('rejected')}>
            {inboxTexts.reject}
          </Button>
          <Text size="xs" c="dimmed">
            {texts.hint}
          </Text>
        </>
      )}
    </Group>
  );
}
