import { Button, NativeSelect, Pill, Popover, Stack, TextInput } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldLabel, optionLabel } from '../../components/field-labels.ts';
import { submissionsTexts } from '../../texts/submissions.ts';
import { MAX_CONDITIONS } from './submission-search.ts';
import { valueText } from '../../components/value-text.ts';

const texts = submissionsTexts.fieldFilter;

/** Conditions on fields, such as `size:large`. */
export function FieldFilters({
  fields,
  conditions,
  onChange,
}: {
  fields: readonly FormField[];
  conditions: readonly string[];
  onChange: (conditions: string[]) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [text, setText] = useState('');
  const field = fields.find((one) => one.name === name);
  const choices = field && choicesOf(field);
  const entered = choices && !choices.some(({ value }) => value === text) ? (choices[0]?.value ?? '') : text;
  const add = () => {
    if (entered.trim() === '') return;
    onChange([...new Set([...conditions, `${name}:${entered.trim()}`])]);
    setText('');
    setOpen(false);
  };
  if (fields.length === 0) return null;
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withinPortal={false}>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconFilter size={16} aria-hidden />}
            disabled={conditions.length >= MAX_CONDITIONS}
            onClick={() => setOpen(!isOpen)}
          >
            {texts.add}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts.add}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              add();
            }}
          >
            <Stack gap="sm" w={260}>
              <NativeSelect
                label={texts.field}
                value={name}
                data={fields.map((one) => ({ value: one.name, label: fieldLabel(one) }))}
                onChange={({ currentTarget }) => {
                  setName(currentTarget.value);
                  setText('');
                }}
              />
              {choices ? (
                <NativeSelect
                  label={texts.is}
                  value={entered}
                  data={choices}
                  onChange={({ currentTarget }) => setText(currentTarget.value)}
                />
              ) : (
                <TextInput
                  label={field && COMPARED.includes(field.type) ? texts.is : texts.contains}
                  type={field?.type === 'date' || field?.type === 'time' ? field.type : 'text'}
                  maxLength={200}
                  value={text}
                  onChange={({ currentTarget }) => setText(currentTarget.value)}
                />
              )}
              <Button type="submit">{texts.apply}</Button>
            </Stack>
          </form>
        </Popover.Dropdown>
      </Popover>
      {conditions.map((condition) => {
        const words = wordsOf(condition, fields);
        return (
          <Pill
            key={condition}
            size="lg"
            withRemoveButton
            removeButtonProps={{ 'aria-label': texts.remove(words), 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => onChange(conditions.filter((other) => other !== condition))}
          >
            {words}
          </Pill>
        );
      })}
    </>
  );
}

/** Types whose value must equal the text. */
const COMPARED: readonly FormField['type'][] = ['number', 'rating', 'date', 'time'];

function choicesOf({ type, options = [] }: FormField): { value: string; label: string }[] | undefined {
  if (type === 'checkbox' || type === 'consent')
    return [
      { value: 'true', label: submissionsTexts.yes },
      { value: 'false', label: submissionsTexts.no },
    ];
  return options.length > 0
    ? options.map((option) => ({ value: option.value, label: optionLabel(option) }))
    : undefined;
}

function wordsOf(condition: string, fields: readonly FormField[]): string {
  const colon = condition.indexOf(':');
  const [name, text] = [condition.slice(0, colon), condition.slice(colon + 1)];
  const field = fields.find((one) => one.name === name);
  if (!field) return texts.condition(name, text);
  const choice = choicesOf(field)?.find(({ value }) => value === text);
  return texts.condition(fieldLabel(field), choice ? choice.label : valueText(text));
}
