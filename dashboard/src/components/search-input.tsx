import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { MAX_SEARCH_LENGTH } from './search-length.ts';
import { useDebouncedText } from './use-debounced-text.ts';

/** A search input. `value` is the current search in the URL; `onSearch` is debounced. */
export function SearchInput({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useDebouncedText(value, onSearch);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={MAX_SEARCH_LENGTH}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
