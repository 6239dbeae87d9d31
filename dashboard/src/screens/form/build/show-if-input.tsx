import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { valueFields, type FormField } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import { CHOICES, labelOf } from './fields.ts';

const texts = buildTexts.field;
type ShowIf = NonNullable<FormField['showIf']>;
const ALWAYS = '';

/** Shows the field always, or while another field has a value. */
export function ShowIfInput({
  showIf,
  others,
  onChange,
  error,
}: {
  showIf: ShowIf | undefined;
  others: readonly FormField[];
  onChange: (showIf: ShowIf | undefined) => void;
  error: string | undefined;
}) {
  // While the user types, names may be empty or duplicate.
  const named = [
    ...new Map(
      valueFields(others)
        .filter(({ name }) => name !== '')
        .map((field) => [field.name, field]),
    ).values(),
  ];
  const source = named.find(({ name }) => name === showIf?.field);
  const known = named.map((field) => ({ value: field.name, label: texts.onlyIf(labelOf(field)) }));
  const lost = showIf && !source ? [{ value: showIf.field, label: texts.onlyIf(showIf.field) }] : [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={texts.showIf}
        data={[{ value: ALWAYS, label: texts.always }, ...known, ...lost]}
        value={showIf?.field ?? ALWAYS}
        allowDeselect={false}
        error={error}
        onChange={(name) => {
          const field = named.find((other) => other.name === name);
          onChange(field && { field: field.name, equals: firstValueOf(field) });
        }}
      />
      {showIf && (
        <EqualsInput
          source={source}
          value={showIf.equals}
          onChange={(equals) => onChange({ ...showIf, equals })}
        />
      )}
    </SimpleGrid>
  );
}

function firstValueOf({ type, options }: FormField): ShowIf['equals'] {
  if (type === 'checkbox' || type === 'consent') return true;
  if (type === 'number' || type === 'rating') return 1;
  return options?.[0]?.value ?? '';
}

function EqualsInput({
  source,
  value,
  onChange,
}: {
  source: FormField | undefined;
  value: ShowIf['equals'];
  onChange: (value: ShowIf['equals']) => void;
}) {
  if (source?.type === 'checkbox' || source?.type === 'consent') {
    return (
      <Select
        label={texts.equals}
        allowDeselect={false}
        data={[
          { value: 'true', label: texts.yes },
          { value: 'false', label: texts.no },
        ]}
        value={String(value)}
        onChange={(chosen) => onChange(chosen === 'true')}
      />
    );
  }
  if (source && CHOICES.includes(source.type)) {
    const options = (source.options ?? []).filter((option) => option.value !== '');
    const values = [
      ...new Set([...options.map((option) => option.value), ...(value === '' ? [] : [String(value)])]),
    ];
    return (
      <Select
        label={texts.equals}
        allowDeselect={false}
        data={values.map((one) => ({
          value: one,
          label: options.find((option) => option.value === one)?.label || one,
        }))}
        value={String(value)}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  if (source?.type === 'number' || source?.type === 'rating') {
    return (
      <NumberInput
        label={texts.equals}
        value={typeof value === 'number' ? value : ''}
        onChange={(number) => onChange(number)}
      />
    );
  }
  return (
    <TextInput
      label={texts.equals}
      value={String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
