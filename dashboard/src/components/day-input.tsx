import { Input, TextInput } from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';
import { LAST_DAY } from './days.ts';
import { useDebouncedText } from './use-debounced-text.ts';

/**
 * A date input (YYYY-MM-DD). `onDay` is debounced, because browsers report incomplete years such as
 * 0002.
 */
export function DayInput({
  label,
  value,
  onDay,
  errorId,
}: {
  label: string;
  value: string;
  onDay: (day: string) => void;
  /** The id of the `PeriodError` of the row, while it is shown. */
  errorId?: string | undefined;
}) {
  const [text, type] = useDebouncedText(value, onDay);
  return (
    <TextInput
      type="date"
      label={label}
      max={LAST_DAY}
      error={errorId !== undefined}
      aria-describedby={errorId}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

/**
 * The error of two days, on a line of its own: below one of them, it would move the others of the
 * row.
 */
export function PeriodError({ id }: { id: string }) {
  return (
    <Input.Error id={id} w="100%">
      {shellTexts.backwards}
    </Input.Error>
  );
}
