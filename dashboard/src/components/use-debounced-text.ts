import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const DEBOUNCE_MS = 250;

/**
 * The text of an input for a URL parameter. `value` is the current parameter; `onChange` is
 * debounced.
 */
export function useDebouncedText(
  value: string,
  onChange: (text: string) => void,
): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [lastSent, setLastSent] = useState(value);
  const send = useDebouncedCallback((newText: string) => {
    setLastSent(newText);
    onChange(newText);
  }, DEBOUNCE_MS);
  // The URL may change by itself: history, or a link. After our own change, the user may have typed
  // more.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== lastSent) {
      setText(value);
      setLastSent(value);
    }
  }
  return [
    text,
    (newText) => {
      setText(newText);
      send(newText);
    },
  ];
}
