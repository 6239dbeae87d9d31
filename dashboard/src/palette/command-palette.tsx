import { Box, Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useMergedRef } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { FailureAlert } from '../components/failure-alert.tsx';
import { paletteTexts as texts } from '../texts/palette.ts';
import { useCommands, type Command } from './use-commands.ts';

const DEBOUNCE_MS = 200;

/** At once, so that no key is lost between the input before and this one. */
function focusAtEnd(input: HTMLInputElement | null): void {
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}

/**
 * A dialog that finds forms, tasks, screens and actions, and opens or runs the chosen one. `typed`
 * was typed while it loaded.
 */
export function CommandPalette({
  typed,
  onRun,
  onDismiss,
}: {
  typed: string;
  onRun: () => void;
  onDismiss: () => void;
}) {
  const [text, setText] = useState(typed);
  const [debounced] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const { groups, isSearching, error, retry } = useCommands(text.trim(), debounced);
  const combobox = useCombobox({ opened: true });
  const input = useRef<HTMLInputElement>(null);
  const inputRef = useMergedRef(input, focusAtEnd);
  const listId = useId();
  const commands = groups.flatMap((group) => group.commands);
  // Enter runs the first match, unless the arrow keys chose another one.
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, commands.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;

  function run(command: Command | undefined): void {
    if (!command) return;
    onRun();
    command.run();
  }

  function move(step: 1 | -1): void {
    const next = (active + step + commands.length) % commands.length;
    setChosen(next);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Enter and arrows also choose between the suggestions of an input method.
    if (event.nativeEvent.isComposing || commands.length === 0) return;
    if (event.key === 'Enter') run(commands[active]);
    else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else return;
    event.preventDefault();
  }

  return (
    <Modal opened onClose={onDismiss} title={texts.title} size="lg" yOffset="10vh" padding="md">
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={(id) => run(commands.find((command) => command.id === id))}
      >
        <TextInput
          data-autofocus
          ref={inputRef}
          role="combobox"
          aria-label={texts.input}
          aria-autocomplete="list"
          aria-expanded={commands.length > 0}
          aria-controls={listId}
          aria-activedescendant={commands.length > 0 ? optionId(active) : undefined}
          placeholder={texts.input}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Combobox.Options
          id={listId}
          aria-label={texts.title}
          mah="50vh"
          mt="sm"
          style={{ overflowY: 'auto' }}
        >
          {groups.map((group) => (
            <Combobox.Group key={group.label} label={group.label}>
              {group.commands.map((command) => {
                const index = commands.indexOf(command);
                return (
                  <Combobox.Option
                    key={command.id}
                    id={optionId(index)}
                    value={command.id}
                    selected={index === active}
                  >
                    {command.label}
                  </Combobox.Option>
                );
              })}
            </Combobox.Group>
          ))}
        </Combobox.Options>
        {error && (
          <Box mt="sm">
            <FailureAlert
              error={error}
              retry={() => {
                // The alert disappears with its focused button.
                input.current?.focus();
                retry();
              }}
            />
          </Box>
        )}
        {commands.length === 0 && !error && (
          <Text c="dimmed" role="status" p="sm">
            {isSearching ? texts.searching : texts.nothing(text.trim())}
          </Text>
        )}
      </Combobox>
    </Modal>
  );
}
