import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const TYPING_ENDS_AFTER_MS = 250;

/**
 * What is typed into an input that stands for a part of the address: `value` is what is there now, `onTyped` comes when typing
 * pauses.
 */
export function useTyped(
  value: string,
  onTyped: (text: string) => void,
): readonly [text: string, type: (text: string) => void] {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [asked, setAsked] = useState(value);
  const ask = useDebouncedCallback((wanted: string) => {
    setAsked(wanted);
    onTyped(wanted);
  }, TYPING_ENDS_AFTER_MS);
  // The address may change by itself: back, or a link. After a change of ours, who types may have typed on.
  if (value !== known) {
    setKnown(value);
    if (value !== asked) setText(value);
  }
  return [
    text,
    (typed) => {
      setText(typed);
      ask(typed);
    },
  ];
}
