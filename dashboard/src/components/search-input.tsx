import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTyped } from './use-typed.ts';

/** Text to search for. `value` is the one that is searched for now, as it is in the address; `onSearch` comes when typing pauses. */
export function SearchInput({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [text, type] = useTyped(value, onSearch);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
