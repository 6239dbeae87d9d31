import { ActionIcon, Button, Group, Input, Space, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ClipboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { buildTexts } from '../../../texts/build.ts';
import type { NewValues } from '../draft/logic-edits.ts';
import {
  followRenames,
  withNewOption,
  withPasted,
  type CalledOption,
  type Options,
} from '../draft/option-edits.ts';
import { withProperty } from '../draft/with-property.ts';
import { MoveButtons } from './move-buttons.tsx';
import { removeRow } from './remove-row.ts';

const texts = buildTexts.field;
/** Of the three buttons of an option. */
const BUTTONS_WIDTH = 3 * 36 + 2 * 4;

/** What the form calls edited options. Options that aren't in it are called by their values. */
const CALLED = new WeakMap<Options, readonly CalledOption[]>();

/** The options of a field, each with a value and a label. */
export function OptionsInput({
  options,
  onChange,
  onRemove,
  error,
}: {
  options: Options;
  /** Receives the values of the options that were renamed or removed, too. */
  onChange: (options: Options, values: NewValues) => void;
  /** Removes the option with this value, or asks the user first. */
  onRemove: (value: string, remove: () => void) => void;
  error: (path: string) => string | undefined;
}) {
  const called = CALLED.get(options) ?? options.map((option) => ({ option, called: option.value }));
  const change = (changed: readonly CalledOption[], removed: readonly string[] = []) => {
    const now = followRenames(changed);
    const list = now.called.map(({ option }) => option);
    CALLED.set(list, now.called);
    onChange(list, new Map([...removed.map((value) => [value, undefined] as const), ...now.values]));
  };
  const replace = (index: number, option: Options[number]) =>
    change(called.map((one, n) => (n === index ? { ...one, option } : one)));
  const remove = (button: Element, index: number) => {
    const value = called[index]?.called ?? '';
    const others = called.filter((_, n) => n !== index);
    const isLast = !others.some((one) => one.called === value);
    const removed = isLast && value !== '' ? [value] : [];
    onRemove(value, () => removeRow(button, index, () => change(others, removed)));
  };
  const move = (from: number, to: number, list: Element | null) => {
    const moved = called[from];
    if (!moved) return;
    flushSync(() => change(called.toSpliced(from, 1).toSpliced(to, 0, moved)));
    // The focus follows the option. At an end of the list, only one of its buttons is enabled.
    const isUp = (to < from && to > 0) || to === called.length - 1;
    const label = isUp ? texts.optionUp(to + 1) : texts.optionDown(to + 1);
    list?.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.focus();
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>, index: number) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const range = [selectionStart ?? value.length, selectionEnd ?? value.length] as const;
    const pasted = withPasted(called, index, event.clipboardData.getData('text/plain'), range);
    if (!pasted) return;
    event.preventDefault();
    change(pasted);
  };
  return (
    <Stack gap="xs" role="group" aria-label={texts.options} data-rows>
      <Input.Label labelElement="div">{texts.options}</Input.Label>
      {options.length > 0 && (
        <Group gap="xs" aria-hidden>
          <Group gap="xs" wrap="nowrap" flex="1 1 14em">
            {[texts.value, texts.shown].map((heading) => (
              <Text key={heading} flex={1} size="xs" c="dimmed">
                {heading}
              </Text>
            ))}
          </Group>
          <Space w={BUTTONS_WIDTH} />
        </Group>
      )}
      {options.map((option, index) => (
        <OptionRow
          key={index}
          index={index}
          count={options.length}
          option={option}
          error={(key) => error(`${index}.${key}`)}
          onChange={(changed) => replace(index, changed)}
          onPaste={(event) => paste(event, index)}
          onMove={(to, button) => move(index, to, button.closest('[data-rows]'))}
          onRemove={(button) => remove(button, index)}
        />
      ))}
      {error('') && <Text c="var(--mantine-color-error)">{error('')}</Text>}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          data-add-row
          onClick={() => change(withNewOption(called))}
        >
          {texts.addOption}
        </Button>
        <Text size="xs" c="dimmed">
          {texts.pasteHint}
        </Text>
      </Group>
    </Stack>
  );
}

/** The value and the label of an option, with its buttons. On a phone, the buttons are below. */
function OptionRow({
  index,
  count,
  option,
  error,
  onChange,
  onPaste,
  onMove,
  onRemove,
}: {
  index: number;
  count: number;
  option: Options[number];
  error: (key: keyof Options[number]) => string | undefined;
  onChange: (option: Options[number]) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
  onMove: (to: number, button: Element) => void;
  onRemove: (button: Element) => void;
}) {
  return (
    <Group gap="xs" align="flex-start">
      <Group gap="xs" wrap="nowrap" align="flex-start" flex="1 1 14em" miw={0}>
        <TextInput
          flex={1}
          miw={0}
          aria-label={texts.option(index + 1)}
          placeholder={texts.value}
          value={option.value}
          error={error('value')}
          data-row
          onPaste={onPaste}
          onChange={({ currentTarget }) => onChange({ ...option, value: currentTarget.value })}
        />
        <TextInput
          flex={1}
          miw={0}
          aria-label={texts.optionLabel(index + 1)}
          placeholder={texts.shown}
          value={option.label ?? ''}
          error={error('label')}
          onChange={({ currentTarget }) => onChange(withProperty(option, 'label', currentTarget.value))}
        />
      </Group>
      <Group gap={4} wrap="nowrap">
        <MoveButtons
          index={index}
          isLast={index === count - 1}
          up={texts.optionUp(index + 1)}
          down={texts.optionDown(index + 1)}
          size={36}
          onMove={onMove}
        />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={texts.removeOption(index + 1)}
          onClick={({ currentTarget }) => onRemove(currentTarget)}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
