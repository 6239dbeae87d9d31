import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { labelOf, optionLabel } from '../../components/field-labels.ts';
import { valueText } from '../../components/value-text.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';

const INPUT_TYPES: Readonly<Partial<Record<FormField['type'], string>>> = {
  email: 'email',
  tel: 'tel',
  url: 'url',
  date: 'date',
  time: 'time',
};

interface TaskFieldProps {
  field: FormField;
  /** The prefilled value. */
  before: unknown;
  value: unknown;
  isEditable: boolean;
  error?: string | undefined;
  onChange: (value: unknown) => void;
}

/** One value of a task, with a mark if it differs from the prefilled value. */
export function TaskField(props: TaskFieldProps) {
  const { field, before, value, isEditable, onChange } = props;
  const label = labelOf(field);
  const isChanged = !isSame(value, before);
  return (
    <Stack gap={4}>
      {isEditable ? (
        <Input {...props} />
      ) : (
        <ReadOnly field={field} label={label} value={value} error={props.error} />
      )}
      {isChanged && (
        <Group gap="xs">
          <Text size="xs" fw={600}>
            {texts.changedFrom(asText(before, field))}
          </Text>
          {isEditable && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={texts.undoOf(label)}
              // JSON drops `undefined`, and the decision would keep the changed value.
              onClick={() => onChange(before ?? '')}
            >
              {texts.undo}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function ReadOnly({
  field,
  label,
  value,
  error,
}: Pick<TaskFieldProps, 'field' | 'value'> & { label: string; error: string | undefined }) {
  return (
    <div>
      <Text fw={600}>{label}</Text>
      <Text style={{ whiteSpace: 'pre-wrap' }}>{asText(value, field)}</Text>
      {error && (
        <Text c="var(--mantine-color-error)">
          {error}. {texts.readOnly}
        </Text>
      )}
    </div>
  );
}

function Input({ field, before, value, error, onChange }: TaskFieldProps) {
  const { type, help, required } = field;
  const common = {
    label: labelOf(field),
    description: help,
    error,
    required: required ?? false,
  };
  const choices = choicesOf(field, [before, value]);
  const text = inputText(value);
  switch (type) {
    case 'textarea':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          value={text}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
    case 'number':
    case 'rating':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : text}
          onChange={(next) => onChange(next)}
        />
      );
    case 'select':
    case 'radio':
      return (
        <NativeSelect
          {...common}
          data={[{ value: '', label: texts.noChoice }, ...choices]}
          value={text}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
    case 'checkboxes':
      return (
        <Checkbox.Group {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange}>
          <Stack gap="xs" mt="xs">
            {choices.map((choice) => (
              <Checkbox key={choice.value} {...choice} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case 'checkbox':
    case 'consent':
      return (
        <Checkbox
          {...common}
          checked={isAccepted(value)}
          onChange={(e) => onChange(e.currentTarget.checked)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={INPUT_TYPES[type] ?? 'text'}
          value={text}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
  }
}

/** A value as the text of an input. */
const inputText = (value: unknown): string => (typeof value === 'boolean' ? String(value) : valueText(value));

/**
 * The options, and the values that the form has lost since, so that they can be seen and removed.
 */
function choicesOf({ options = [] }: FormField, values: readonly unknown[]) {
  const given = values.flat().map(inputText);
  const lost = given.filter((value) => value !== '' && !options.some((option) => option.value === value));
  return [
    ...options.map((option) => ({ value: option.value, label: optionLabel(option) })),
    ...[...new Set(lost)].map((value) => ({ value, label: value })),
  ];
}

/** For checkboxes, and for consents, whose value has the agreed text too. */
function isAccepted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'accepted' in value
    ? value.accepted === true
    : value === true;
}

/** Missing and empty values look the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? '') === JSON.stringify(b ?? '');
}

const asText = (value: unknown, field: FormField): string => valueText(value, field) || texts.emptyValue;
