import { Button, CloseButton, Fieldset, Group, Input, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { addRow, hiddenValue, type HeaderRow } from './header-rows.ts';

const texts = webhooksTexts.headers;
const MAX_HEADERS = 20;

/** Adds, replaces and removes custom headers. Stored values can't be read, only replaced. */
export function HeadersInput({
  rows,
  onChange,
  errors,
}: {
  rows: readonly HeaderRow[];
  onChange: (rows: HeaderRow[]) => void;
  /** By @mantine/form path: `headers.<position>`, and `headers` for all together. */
  errors: Readonly<Record<string, ReactNode>>;
}) {
  const addButton = useRef<HTMLButtonElement>(null);
  const change = (row: HeaderRow, changes: Partial<HeaderRow>) =>
    onChange(rows.map((other) => (other === row ? { ...row, ...changes } : other)));

  return (
    <Fieldset
      legend={<Input.Label labelElement="div">{texts.title}</Input.Label>}
      variant="unstyled"
      mx={0}
      aria-describedby="headers-hint"
    >
      <Input.Description id="headers-hint">{texts.hint}</Input.Description>
      <Stack gap="xs" mt="xs">
        {rows.map((row, index) => (
          <HeaderInputs
            key={row.key}
            row={row}
            number={index + 1}
            error={errors[`headers.${index}`]}
            onChange={(changes) => change(row, changes)}
            onRemove={() => {
              onChange(rows.filter((other) => other !== row));
              addButton.current?.focus();
            }}
          />
        ))}
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          // Stays focusable, because it gets the focus of a removed row.
          data-disabled={rows.length >= MAX_HEADERS || undefined}
          aria-disabled={rows.length >= MAX_HEADERS}
          onClick={() => rows.length < MAX_HEADERS && onChange(addRow(rows))}
        >
          {texts.add}
        </Button>
      </Stack>
      {errors['headers'] && <Input.Error mt="xs">{errors['headers']}</Input.Error>}
    </Fieldset>
  );
}

function HeaderInputs({
  row,
  number,
  error,
  onChange,
  onRemove,
}: {
  row: HeaderRow;
  number: number;
  error: ReactNode;
  onChange: (changes: Partial<HeaderRow>) => void;
  onRemove: () => void;
}) {
  const errorId = `header-error-${row.key}`;
  const nameInput = useRef<HTMLInputElement>(null);
  const isNew = row.stored === undefined;
  // A click on "Add header" continues in the new row.
  useEffect(() => {
    if (isNew) nameInput.current?.focus();
  }, [isNew]);
  const describedBy = error ? { 'aria-describedby': errorId, error: true } : {};
  return (
    <div role="group" aria-label={texts.row(number)}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={texts.name}
          placeholder={texts.name}
          value={row.name}
          readOnly={!isNew}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          ref={nameInput}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
          style={{ flex: 1 }}
          {...describedBy}
        />
        <TextInput
          aria-label={row.stored ? texts.newValue(row.name, hiddenValue(row.stored)) : texts.value}
          placeholder={row.stored ? hiddenValue(row.stored) : texts.value}
          value={row.value}
          maxLength={4096}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
          style={{ flex: 1 }}
          {...describedBy}
        />
        <CloseButton aria-label={texts.remove(row.name || String(number))} onClick={onRemove} />
      </Group>
      {error && (
        <Input.Error id={errorId} mt={4}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}
