import type { FormField } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import type { NewValues } from './logic-edits.ts';

export type Options = NonNullable<FormField['options']>;

/** An option, and the value by which the rest of the form still refers to it. */
export interface CalledOption {
  option: Options[number];
  called: string;
}

const newOption = (value: string): CalledOption => ({ option: { value }, called: value });

/**
 * Updates what the form calls the options. It keeps the value from before while the one that is
 * typed is empty or that of another option, so that what refers to the two stays apart.
 */
export function followRenames(edited: readonly CalledOption[]): {
  called: CalledOption[];
  values: NewValues;
} {
  const isApart = new Set(edited.map(({ option, called }) => option.value || called)).size === edited.length;
  const isRenamed = ({ option, called }: CalledOption) =>
    isApart && option.value !== '' && called !== '' && option.value !== called;
  return {
    called: edited.map((one) =>
      isApart && one.option.value !== '' ? { ...one, called: one.option.value } : one,
    ),
    values: new Map(edited.filter(isRenamed).map(({ option, called }) => [called, option.value])),
  };
}

/** Adds an option with a value that no other one has. */
export function withNewOption(options: readonly CalledOption[]): CalledOption[] {
  const isTaken = (value: string) => options.some(({ option }) => option.value === value);
  let number = options.length + 1;
  while (isTaken(buildTexts.field.newOption(number))) number++;
  return [...options, newOption(buildTexts.field.newOption(number))];
}

/**
 * Pastes a list into an option: its first line at the selection, or over the value of a new option,
 * and each other line as an option of its own. Skips lines that other options have. Undefined for a
 * text of one line, which is no list.
 */
export function withPasted(
  options: readonly CalledOption[],
  index: number,
  text: string,
  [start, end]: readonly [start: number, end: number],
): CalledOption[] | undefined {
  const lines = text
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const edited = options[index];
  if (!edited || lines.length < 2) return undefined;
  const others = new Set(options.toSpliced(index, 1).map(({ option }) => option.value));
  const [first, ...more] = new Set(lines.filter((line) => !others.has(line)));
  if (first === undefined) return [...options];
  const { value } = edited.option;
  const isNew = value === buildTexts.field.newOption(Number(/\d+$/.exec(value)?.[0]));
  const pasted = isNew ? first : value.slice(0, start) + first + value.slice(end);
  const added = more.filter((line) => line !== pasted).map(newOption);
  return options.toSpliced(index, 1, { ...edited, option: { ...edited.option, value: pasted } }, ...added);
}
