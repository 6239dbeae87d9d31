import { ActionIcon, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { FormField, FormSettings, Jump } from '@svcforms/contracts';
import { valueFields } from '@svcforms/contracts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { buildTexts } from '../../../texts/build.ts';
import { withProperty } from '../draft/with-property.ts';
import { withList } from '../draft/logic-edits.ts';
import { removeRow } from './remove-row.ts';
import { WhenInput } from './when-input.tsx';

const texts = buildTexts.logic;
const END = 'end';

/** The jumps between the steps of a form, in their order. */
export function JumpInputs({
  fields,
  settings,
  onChange,
  error,
}: {
  fields: readonly FormField[];
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
}) {
  const jumps = settings.jumps ?? [];
  const shown = fields.filter(({ type }) => type !== 'hidden');
  const steps = [...new Set(shown.map(({ step = 1 }) => step))].sort((one, other) => one - other);
  const setJumps = (list: Jump[]) => onChange(withList(settings, 'jumps', list));
  const [first = 1] = steps;
  if (steps.length < 2 && jumps.length === 0) return <Text c="dimmed">{texts.noSteps}</Text>;
  return (
    <Stack gap="sm" data-rows>
      <Text c="dimmed">{texts.hint}</Text>
      {jumps.map((jump, index) => (
        <Paper key={index} withBorder p="sm" component="section" aria-label={texts.jump(index + 1)}>
          <JumpInput
            jump={jump}
            steps={steps}
            fields={fields}
            onChange={(changed) => setJumps(jumps.map((other, n) => (n === index ? changed : other)))}
            error={(path) => error(`jumps.${index}.${path}`)}
            remove={
              <ActionIcon
                variant="default"
                className="beside-input"
                size={36}
                aria-label={texts.removeJump(index + 1)}
                onClick={({ currentTarget }) =>
                  removeRow(currentTarget, index, () => setJumps(jumps.filter((_, n) => n !== index)))
                }
              >
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            }
          />
        </Paper>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        data-add-row
        onClick={() => setJumps([...jumps, { from: first, to: END }])}
      >
        {texts.addJump}
      </Button>
    </Stack>
  );
}

function JumpInput({
  jump,
  steps,
  fields,
  onChange,
  error,
  remove,
}: {
  jump: Jump;
  steps: readonly number[];
  fields: readonly FormField[];
  onChange: (jump: Jump) => void;
  error: (path: string) => string | undefined;
  remove: React.ReactNode;
}) {
  const { from, to, when } = jump;
  const sources = valueFields(fields).filter(
    ({ name, type, step = 1, showIf }) => name !== '' && (step <= from || (type === 'hidden' && !showIf)),
  );
  const listed = (values: readonly (number | 'end')[]) =>
    [...new Set(values)].map((value) => ({
      value: String(value),
      label: value === END ? texts.end : texts.step(value),
    }));
  const later = steps.filter((step) => step > from);
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <SimpleGrid flex={1} cols={{ base: 1, xs: 2 }} spacing="xs">
          <Select
            label={texts.from}
            data-row
            allowDeselect={false}
            data={listed([...steps, from])}
            value={String(from)}
            error={error('from')}
            onChange={(step) => {
              const chosen = Number(step);
              onChange({ ...jump, from: chosen, to: to !== END && to <= chosen ? END : to });
            }}
          />
          <Select
            label={texts.to}
            allowDeselect={false}
            data={listed([...later, to, END])}
            value={String(to)}
            error={error('to')}
            onChange={(step) => onChange({ ...jump, to: step === END ? END : Number(step) })}
          />
        </SimpleGrid>
        {remove}
      </Group>
      <WhenInput
        rule={when}
        sources={sources}
        mayBeAlways
        onChange={(rule) => onChange(withProperty(jump, 'when', rule))}
        error={(path) => error(path ? `when.${path}` : 'when')}
      />
    </Stack>
  );
}
