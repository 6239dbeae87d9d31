import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import {
  conditionsIn,
  opsFor,
  type FormField,
  type LogicCondition,
  type LogicConditions,
} from '@svcforms/contracts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { labelOf } from '../../../components/field-labels.ts';
import { buildTexts } from '../../../texts/build.ts';
import { NumberField } from '../draft/number-field.tsx';
import { CHOICES } from '../draft/fields.ts';
import { removeRow } from './remove-row.ts';

const texts = buildTexts.logic;
type Value = string | number | boolean;

/** The conditions of a rule, one a row, with the fields that they may depend on. */
export function ConditionRows({
  rule,
  sources,
  onChange,
  error,
}: {
  rule: LogicConditions;
  sources: readonly FormField[];
  onChange: (rule: LogicConditions) => void;
  /** The error of the last save for a path inside the rule. */
  error: (path: string) => string | undefined;
}) {
  const { list, isAny } = conditionsIn(rule);
  const kind = isAny ? 'any' : 'all';
  const setList = (changed: LogicCondition[]) => onChange(withList(isAny, changed));
  return (
    <Stack gap="xs" data-rows>
      {list.map((condition, index) => (
        <ConditionRow
          // Rows have no identity of their own.
          key={index}
          number={index + 1}
          condition={condition}
          sources={sources}
          onChange={(changed) => setList(list.map((other, n) => (n === index ? changed : other)))}
          onRemove={
            list.length > 1
              ? (button) => removeRow(button, index, () => setList(list.filter((_, n) => n !== index)))
              : undefined
          }
          error={(path) => error(path ? `${kind}.${index}.${path}` : `${kind}.${index}`)}
        />
      ))}
      {error(kind) && (
        <Text c="var(--mantine-color-error)" size="sm">
          {error(kind)}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        disabled={sources.length === 0 || list.length >= 20}
        data-add-row
        onClick={() => setList([...list, ...newConditions(sources)])}
      >
        {texts.addCondition}
      </Button>
    </Stack>
  );
}

const withList = (isAny: boolean, list: LogicCondition[]): LogicConditions =>
  isAny ? { any: list } : { all: list };

/** A condition to start from, on the last of the fields; none without fields. */
function newConditions(sources: readonly FormField[]): LogicCondition[] {
  return sources.slice(-1).map((source) => ({ field: source.name, op: 'eq', value: firstValueOf(source) }));
}

/** A rule to start from; undefined without fields. */
export function newRule(isAny: boolean, sources: readonly FormField[]): LogicConditions | undefined {
  const list = newConditions(sources);
  return list.length > 0 ? withList(isAny, list) : undefined;
}

/** A value that answers to the field can have. */
export function firstValueOf({ type, options }: FormField): Value {
  if (type === 'checkbox' || type === 'consent') return true;
  if (type === 'number' || type === 'rating') return 1;
  return options?.[0]?.value ?? '';
}

const NOT_ANSWERED = 'unanswered';

function ConditionRow({
  number,
  condition,
  sources,
  onChange,
  onRemove,
  error,
}: {
  number: number;
  condition: LogicCondition;
  sources: readonly FormField[];
  onChange: (condition: LogicCondition) => void;
  onRemove: ((button: Element) => void) | undefined;
  error: (path: string) => string | undefined;
}) {
  const source = sources.find(({ name }) => name === condition.field);
  const known = sources.map((field) => ({ value: field.name, label: labelOf(field) }));
  const lost = source ? [] : [{ value: condition.field, label: condition.field || '–' }];
  const ops = source ? opsFor(source.type) : [condition.op];
  const op = condition.op === 'answered' && condition.value === false ? NOT_ANSWERED : condition.op;
  const chooseOp = (chosen: string | null) => {
    const { field, value } = condition;
    if (chosen === NOT_ANSWERED) return onChange({ field, op: 'answered', value: false });
    if (chosen === 'answered') return onChange({ field, op: 'answered' });
    const kept = condition.op === 'answered' || value === undefined;
    onChange({
      field,
      op: chosen as LogicCondition['op'],
      value: kept ? (source ? firstValueOf(source) : '') : value,
    });
  };
  return (
    <Group gap="xs" align="flex-start" wrap="wrap">
      <Select
        aria-label={texts.field(number)}
        data-row
        flex="2 1 9em"
        data={[...new Map([...known, ...lost].map((one) => [one.value, one])).values()]}
        value={condition.field}
        allowDeselect={false}
        error={error('field') ?? error('')}
        onChange={(name) => {
          const chosen = sources.find((field) => field.name === name);
          if (chosen) onChange({ field: chosen.name, op: 'eq', value: firstValueOf(chosen) });
        }}
      />
      <Select
        aria-label={texts.op(number)}
        flex="1 1 8em"
        data={[...ops, ...(ops.includes('answered') ? [NOT_ANSWERED] : [])].map((value) => ({
          value,
          label: texts.ops[value as keyof typeof texts.ops],
        }))}
        value={op}
        allowDeselect={false}
        error={error('op')}
        onChange={chooseOp}
      />
      {condition.op !== 'answered' && (
        <ValueInput
          aria-label={texts.value(number)}
          flex="2 1 8em"
          source={source}
          op={condition.op}
          value={condition.value ?? ''}
          error={error('value')}
          onChange={(value) => onChange({ ...condition, value })}
        />
      )}
      {onRemove && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={texts.removeCondition(number)}
          onClick={({ currentTarget }) => onRemove(currentTarget)}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

/** The value that answers to the field are compared with. The label is visible or not. */
export function ValueInput({
  source,
  op,
  value,
  onChange,
  ...common
}: {
  label?: string;
  'aria-label'?: string;
  flex?: string;
  source: FormField | undefined;
  op: LogicCondition['op'];
  value: Value;
  error?: string | undefined;
  onChange: (value: Value) => void;
}) {
  const type = source?.type ?? 'text';
  if (type === 'checkbox' || type === 'consent') {
    return (
      <Select
        {...common}
        allowDeselect={false}
        data={[
          { value: 'true', label: buildTexts.field.yes },
          { value: 'false', label: buildTexts.field.no },
        ]}
        value={String(value)}
        onChange={(chosen) => onChange(chosen === 'true')}
      />
    );
  }
  if (source && CHOICES.includes(type)) {
    const options = (source.options ?? []).filter((option) => option.value !== '');
    const values = new Set([
      ...options.map((option) => option.value),
      ...(value === '' ? [] : [String(value)]),
    ]);
    return (
      <Select
        {...common}
        allowDeselect={false}
        data={[...values].map((one) => ({
          value: one,
          label: options.find((option) => option.value === one)?.label || one,
        }))}
        value={String(value)}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  const isMeasured = type === 'hidden' && (op === 'gt' || op === 'lt');
  if (type === 'number' || type === 'rating' || isMeasured) {
    return (
      <NumberField
        {...common}
        value={typeof value === 'number' ? value : undefined}
        onChange={(number) => onChange(number ?? '')}
      />
    );
  }
  return (
    <TextInput
      {...common}
      {...((type === 'date' || type === 'time') && { type })}
      value={String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
