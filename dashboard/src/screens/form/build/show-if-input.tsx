import { Select, SimpleGrid, Stack } from '@mantine/core';
import { conditionsIn, valueFields, type FormField, type ShowIf } from '@svcforms/contracts';
import { labelOf } from '../../../components/field-labels.ts';
import { buildTexts } from '../../../texts/build.ts';
import { ConditionRows, firstValueOf, newRule, ValueInput } from './condition-rows.tsx';

const texts = buildTexts.field;
const ALWAYS = '';
/** Field names don't start with a colon. */
const ALL = ':all';
const ANY = ':any';

/** Shows the field always, while another field has a value, or while several conditions hold. */
export function ShowIfInput({
  showIf,
  others,
  earlier,
  onChange,
  error,
}: {
  showIf: ShowIf | undefined;
  others: readonly FormField[];
  /** The fields that several conditions may depend on. */
  earlier: readonly FormField[];
  onChange: (showIf: ShowIf | undefined) => void;
  /** The error of the last save for a path inside the rule. */
  error: (path: string) => string | undefined;
}) {
  const equality = showIf && 'equals' in showIf ? showIf : undefined;
  const group = showIf && 'equals' in showIf ? undefined : showIf;
  // While the user types, names may be empty or duplicate.
  const named = [
    ...new Map(
      valueFields(others)
        .filter(({ name }) => name !== '')
        .map((field) => [field.name, field]),
    ).values(),
  ];
  const source = named.find(({ name }) => name === equality?.field);
  const known = named.map((field) => ({ value: field.name, label: texts.onlyIf(labelOf(field)) }));
  const lost = equality && !source ? [{ value: equality.field, label: texts.onlyIf(equality.field) }] : [];
  const choose = (chosen: string | null) => {
    if (chosen === ALL || chosen === ANY) {
      const list = showIf ? conditionsIn(showIf).list.filter(({ field }) => isKnown(field)) : [];
      if (list.length === 0) return onChange(newRule(chosen === ANY, earlier));
      return onChange(chosen === ANY ? { any: list } : { all: list });
    }
    const field = named.find((other) => other.name === chosen);
    onChange(field && { field: field.name, equals: firstValueOf(field) });
  };
  const isKnown = (name: string) => earlier.some((field) => field.name === name);
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={texts.showIf}
          data={[
            { value: ALWAYS, label: texts.always },
            ...known,
            ...lost,
            { value: ALL, label: texts.showIfAll, disabled: earlier.length === 0 },
            { value: ANY, label: texts.showIfAny, disabled: earlier.length === 0 },
          ]}
          value={group ? ('any' in group ? ANY : ALL) : (equality?.field ?? ALWAYS)}
          allowDeselect={false}
          error={error('field') ?? error('equals') ?? error('')}
          onChange={choose}
        />
        {equality && (
          <ValueInput
            label={texts.equals}
            source={source}
            op="eq"
            value={equality.equals}
            onChange={(equals) => onChange({ ...equality, equals })}
          />
        )}
      </SimpleGrid>
      {group && <ConditionRows rule={group} sources={earlier} onChange={onChange} error={error} />}
    </Stack>
  );
}
