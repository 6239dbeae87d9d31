import { useSortable } from '@dnd-kit/react/sortable';
import { ActionIcon, Box, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { IconCopy, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { MoveButtons } from './move-buttons.tsx';

const texts = buildTexts.fields;

/** What the buttons of a row do. */
export interface RowActions {
  onSelect: (key: number) => void;
  /** Moves the field to another index. */
  onStep: (index: number, to: number) => void;
  onDuplicate: (index: number) => void;
  onRemove: (index: number, button: Element) => void;
}

/**
 * One field of the list, with its buttons to select, move, duplicate and delete it. It renders only
 * if its own props change, because typing would be slow in a form with hundreds of fields.
 */
export const FieldRow = memo(function FieldRow({
  id,
  index,
  isLast,
  label,
  facts,
  isSelected,
  hasError,
  actions,
}: {
  id: number;
  index: number;
  isLast: boolean;
  label: string;
  /** The type and the other properties, in words. */
  facts: string;
  isSelected: boolean;
  hasError: boolean;
  actions: RowActions;
}) {
  const { ref, handleRef } = useSortable({ id, index });
  return (
    <Paper
      ref={ref}
      component="li"
      withBorder
      p={4}
      bd={isSelected ? '1px solid var(--mantine-primary-color-filled)' : undefined}
    >
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          ref={handleRef}
          variant="subtle"
          color="gray"
          c="var(--mantine-color-dimmed)"
          aria-label={texts.move(label)}
          title={texts.moveHint}
          style={{ cursor: 'grab', touchAction: 'none' }}
        >
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
        <Box flex={1} miw={0}>
          <UnstyledButton
            w="100%"
            aria-label={texts.edit(label)}
            aria-current={isSelected || undefined}
            data-row
            onClick={() => actions.onSelect(id)}
          >
            <Text fw={600} lineClamp={2}>
              {label}
            </Text>
          </UnstyledButton>
          <Text size="xs" c={hasError ? 'var(--mantine-color-error)' : 'dimmed'}>
            {facts}
          </Text>
        </Box>
        <MoveButtons
          index={index}
          isLast={isLast}
          up={texts.up(label)}
          down={texts.down(label)}
          onMove={(to) => actions.onStep(index, to)}
        />
        <ActionIcon
          variant="default"
          aria-label={texts.duplicate(label)}
          onClick={() => actions.onDuplicate(index)}
        >
          <IconCopy size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={texts.remove(label)}
          onClick={({ currentTarget }) => actions.onRemove(index, currentTarget)}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  );
});
