import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

const TYPING_ENDS_AFTER_MS = 250;

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
  const [text, setText] = useState(value);
  const [searchedFor, setSearchedFor] = useState(value);
  const [asked, setAsked] = useState(value);
  const search = useDebouncedCallback((wanted: string) => {
    setAsked(wanted);
    onSearch(wanted);
  }, TYPING_ENDS_AFTER_MS);
  // The address may change by itself: back, or a link. After a search of ours, who types may have typed on.
  if (value !== searchedFor) {
    setSearchedFor(value);
    if (value !== asked) setText(value);
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
