import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { numberOf } from './with-property.ts';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  /**
   * The stored value of a number that was typed, and the number that shows a stored value. Default:
   * the same.
   */
  store?: (typed: number) => number | undefined;
  show?: (value: number) => number;
}

const same = (number: number): number => number;

/**
 * An input for an optional number. What isn't complete yet, such as `1.` or `-`, stays while it is
 * typed.
 */
export function NumberField({
  value,
  onChange,
  store = same,
  show = same,
  onBlur,
  ...props
}: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string>('');
  const storedOf = (text: number | string) => {
    const number = numberOf(text);
    return number === undefined ? undefined : store(number);
  };
  // Something else may have changed the value since, such as an undo.
  const shown = storedOf(typed) === value ? typed : value === undefined ? '' : show(value);
  return (
    <NumberInput
      {...props}
      value={shown}
      onBlur={(event) => {
        setTyped(value === undefined ? '' : show(value));
        onBlur?.(event);
      }}
      onChange={(next) => {
        setTyped(next);
        onChange(storedOf(next));
      }}
    />
  );
}
