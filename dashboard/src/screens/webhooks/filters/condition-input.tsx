import { ActionIcon, Group, MultiSelect, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { filterTexts as texts } from '../../../texts/webhook-filters.ts';
import { VALUE_KINDS, type ConditionDraft, type EditorOp, type ValueKind } from './filter-draft.ts';
import { ALL_OPS, type PathChoice } from './filter-paths.ts';

const OTHER = 'other';

/** The fields of the form and the other values of the event to choose from. */
export interface PathChoices {
  fields: readonly PathChoice[];
  event: readonly PathChoice[];
}

/** One condition: a value of the event, an operator, and a value to compare with. */
export function ConditionInput({
  condition,
  number,
  choices,
  faultAt,
  onChange,
  onRemove,
}: {
  condition: ConditionDraft;
  number: number;
  choices: PathChoices;
  /** The fault of a part of the condition, if it's to be shown. */
  faultAt: (part: 'path' | 'op' | 'value') => string | undefined;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
}) {
  const { path, op, kind } = condition;
  const choice = [...choices.fields, ...choices.event].find((each) => each.path === path);
  const change = (changes: Partial<ConditionDraft>) => onChange({ ...condition, ...changes });

  function choosePath(chosen: string): void {
    const next = [...choices.fields, ...choices.event].find((each) => each.path === chosen);
    const ops = next?.ops ?? ALL_OPS;
    change({
      path: next ? chosen : '',
      op: ops.includes(op) ? op : (ops[0] ?? 'eq'),
      ...valuesOf(next?.kind ?? kind),
    });
  }

  const ops = choice?.ops.includes(op) ? choice.ops : ALL_OPS;
  const hasValue = op !== 'exists' && op !== 'missing';
  // Saved conditions may compare a field with a value of another type.
  const choosesKind = hasValue && (!choice?.kind || choice.kind !== kind);
  return (
    <Group role="group" aria-label={texts.condition(number)} align="flex-start" gap="xs" wrap="nowrap">
      <Group align="flex-start" gap="xs" flex={1}>
        <NativeSelect
          aria-label={texts.field}
          maw={180}
          value={choice ? path : OTHER}
          onChange={({ currentTarget }) => choosePath(currentTarget.value)}
          data={[
            ...(choices.fields.length > 0 ? [{ group: texts.fields, items: itemsOf(choices.fields) }] : []),
            { group: texts.event, items: itemsOf(choices.event) },
            { value: OTHER, label: texts.otherPath },
          ]}
        />
        {!choice && (
          <TextInput
            aria-label={texts.path}
            placeholder="/data/email"
            description={texts.pathHint}
            inputWrapperOrder={['input', 'description', 'error']}
            value={path}
            autoComplete="off"
            error={faultAt('path')}
            onChange={({ currentTarget }) => change({ path: currentTarget.value })}
          />
        )}
        <NativeSelect
          aria-label={texts.operator}
          value={op}
          onChange={({ currentTarget }) => change({ op: currentTarget.value as EditorOp })}
          data={ops.map((value) => ({ value, label: texts.operators[value] }))}
          error={faultAt('op')}
        />
        {choosesKind && (
          <NativeSelect
            aria-label={texts.kind}
            value={kind}
            onChange={({ currentTarget }) => change(valuesOf(currentTarget.value as ValueKind))}
            data={VALUE_KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
          />
        )}
        {hasValue && (
          <ValueInput condition={condition} choice={choice} fault={faultAt('value')} change={change} />
        )}
      </Group>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.removeCondition(number)}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

const itemsOf = (choices: readonly PathChoice[]) =>
  choices.map(({ path, label }) => ({ value: path, label }));

/** No values of another kind or field remain. */
const valuesOf = (kind: ValueKind) => ({ kind, text: kind === 'boolean' ? 'true' : '', texts: [] });

/** The width that the other inputs of the line leave. */
const WIDTH = { flex: 1, miw: 120 } as const;

function ValueInput({
  condition: { op, kind, text, texts: values },
  choice,
  fault,
  change,
}: {
  condition: ConditionDraft;
  choice: PathChoice | undefined;
  fault: string | undefined;
  change: (changes: Partial<ConditionDraft>) => void;
}) {
  const options = kind === 'text' ? choice?.options : undefined;
  if (op === 'in') {
    const common = {
      ...WIDTH,
      'aria-label': texts.values,
      value: values,
      error: fault,
      onChange: (chosen: string[]) => change({ texts: chosen }),
      // In the dialog, so that the options belong to its landmark.
      comboboxProps: { withinPortal: false },
      // Tab goes on to the next input, not into the list.
      scrollAreaProps: { viewportProps: { tabIndex: -1 } },
    };
    return options ? (
      <MultiSelect {...common} data={withCurrent(options, values)} />
    ) : (
      <TagsInput
        {...common}
        description={texts.valuesHint}
        inputWrapperOrder={['input', 'description', 'error']}
        acceptValueOnBlur
      />
    );
  }
  if (kind === 'null') return null;
  const common = {
    ...WIDTH,
    'aria-label': texts.value,
    value: text,
    error: fault,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ text: currentTarget.value }),
  };
  if (kind === 'boolean') {
    const data = [
      { value: 'true', label: texts.yes },
      { value: 'false', label: texts.no },
    ];
    return <NativeSelect {...common} data={data} />;
  }
  if (options) {
    const known = withCurrent(options, text === '' ? [] : [text]);
    return <NativeSelect {...common} data={[{ value: '', label: texts.value }, ...known]} />;
  }
  return (
    <TextInput
      {...common}
      {...(choice?.input && kind === 'text' && { type: choice.input })}
      {...(kind === 'number' && { inputMode: 'decimal' })}
      autoComplete="off"
    />
  );
}

/** Options may have been removed from the form since the filter was saved. */
function withCurrent(options: readonly { value: string; label: string }[], values: readonly string[]) {
  const others = values.filter((value) => !options.some((option) => option.value === value));
  return [...options, ...others.map((value) => ({ value, label: value }))];
}
