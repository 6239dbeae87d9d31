import { TextInput } from '@mantine/core';
import { useDebouncedText } from './use-debounced-text.ts';

/**
 * A date input (YYYY-MM-DD). `onDay` is debounced, because browsers report incomplete years such as
 * 0002.
 */
export function DayInput({
  label,
  value,
  onDay,
}: {
  label: string;
  value: string;
  onDay: (day: string) => void;
}) {
  const [text, type] = useDebouncedText(value, onDay);
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
