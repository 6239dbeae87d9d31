import { Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';

/** A list as text, one entry per line. Blank lines may appear while the user types. */
export function LinesInput({
  label,
  hint,
  lines,
  error,
  disabled = false,
  onChange,
}: {
  label: string;
  hint: string;
  lines: readonly string[];
  error: ReactNode;
  disabled?: boolean;
  onChange: (lines: string[]) => void;
}) {
  const [typed, setTyped] = useState(() => lines.join('\n'));
  const text = linesOf(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n');
  return (
    <Textarea
      label={label}
      description={hint}
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      disabled={disabled}
      value={text}
      error={error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(linesOf(currentTarget.value));
      }}
    />
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
