import { MultiSelect, Select, TextInput } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import { NumberField } from '../draft/number-field.tsx';

const texts = buildTexts.field;
type Default = FormField['defaultValue'];

/** The default value, with an input for the field's type. */
export function DefaultInput({
  field,
  error,
  onChange,
}: {
  field: FormField;
  error: string | undefined;
  onChange: (value: Default) => void;
}) {
  const { type, defaultValue, options = [] } = field;
  const common = { label: texts.defaultValue, error };
  const data = [
    ...new Map(options.map(({ value, label }) => [value, { value, label: label || value }])).values(),
  ].filter(({ value }) => value !== '');
  if (type === 'number' || type === 'rating') {
    return (
      <NumberField
        {...common}
        value={typeof defaultValue === 'number' ? defaultValue : undefined}
        onChange={onChange}
      />
    );
  }
  if (type === 'checkbox') {
    return (
      <Select
        {...common}
        clearable
        placeholder={texts.nothing}
        data={[
          { value: 'true', label: texts.yes },
          { value: 'false', label: texts.no },
        ]}
        value={typeof defaultValue === 'boolean' ? String(defaultValue) : null}
        onChange={(value) => onChange(value === null ? undefined : value === 'true')}
      />
    );
  }
  if (type === 'checkboxes') {
    return (
      <MultiSelect
        {...common}
        data={data}
        value={Array.isArray(defaultValue) ? defaultValue : []}
        onChange={(values) => onChange(values.length > 0 ? values : undefined)}
      />
    );
  }
  if (type === 'select' || type === 'radio') {
    return (
      <Select
        {...common}
        clearable
        placeholder={texts.nothing}
        data={data}
        value={typeof defaultValue === 'string' ? defaultValue : null}
        onChange={(value) => onChange(value ?? undefined)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      type={type === 'date' || type === 'time' ? type : 'text'}
      value={typeof defaultValue === 'string' ? defaultValue : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
