import { TextInput } from '@mantine/core';
import { useTyped } from '../../components/use-typed.ts';

/** A day, YYYY-MM-DD, or nothing; `onDay` comes when typing pauses: half a year is a year, too. */
export function DayInput({
  label,
  value,
  onDay,
}: {
  label: string;
  value: string;
  onDay: (day: string) => void;
}) {
  const [text, type] = useTyped(value, onDay);
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
