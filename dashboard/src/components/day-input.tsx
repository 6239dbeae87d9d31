import { TextInput } from '@mantine/core';
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
  error,
}: {
  label: string;
  value: string;
  onDay: (day: string) => void;
  error?: string | undefined;
}) {
  const [text, type] = useDebouncedText(value, onDay);
  return (
    <TextInput
      type="date"
      label={label}
      max={LAST_DAY}
      error={error}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
