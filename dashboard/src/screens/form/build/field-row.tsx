import { useSortable } from '@dnd-kit/react/sortable';
import { ActionIcon, Box, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { buildTexts } from '../../../texts/build.ts';
import { labelOf } from '../../../components/field-labels.ts';

const texts = buildTexts.fields;

/** One field of the list, with its buttons to select, move and delete it. */
export function FieldRow({
  id,
  index,
  count,
  field,
  isSelected,
  hasError,
  onSelect,
  onStep,
  onRemove,
}: {
  id: number;
  index: number;
  count: number;
  field: FormField;
  isSelected: boolean;
  hasError: boolean;
  onSelect: () => void;
  onStep: (to: number) => void;
  onRemove: () => void;
}) {
  const { ref, handleRef } = useSortable({ id, index });
  const label = labelOf(field);
  const facts = [
    texts.types[field.type],
    field.required && texts.required,
    field.step && texts.step(field.step),
    field.showIf && texts.conditional,
    hasError && texts.invalid,
  ].filter(Boolean);
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
            onClick={onSelect}
          >
            <Text fw={600} lineClamp={2}>
              {label}
            </Text>
          </UnstyledButton>
          <Text size="xs" c={hasError ? 'var(--mantine-color-error)' : 'dimmed'}>
            {facts.join(' · ')}
          </Text>
        </Box>
        <ActionIcon
          variant="default"
          aria-label={texts.up(label)}
          disabled={index === 0}
          onClick={() => onStep(index - 1)}
        >
          <IconArrowUp size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={texts.down(label)}
          disabled={index === count - 1}
          onClick={() => onStep(index + 1)}
        >
          <IconArrowDown size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={texts.remove(label)} onClick={onRemove}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
