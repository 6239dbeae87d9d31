import type { HeaderOut } from '@svcforms/contracts';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.headers;

/** A custom header in the dialog. */
export interface HeaderRow {
  /** Tells rows apart while their names change. */
  key: number;
  name: string;
  /** A new value. Empty for a stored header whose value stays. */
  value: string;
  /** The stored header. Its name can't change, because its value isn't known here. */
  stored?: HeaderOut;
}

export const rowsOf = (headers: readonly HeaderOut[]): HeaderRow[] =>
  headers.map((stored, key) => ({ key, name: stored.name, value: '', stored }));

export const addRow = (rows: readonly HeaderRow[]): HeaderRow[] => [
  ...rows,
  { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', value: '' },
];

/** How a value that nobody can read is shown: its last characters, if they are known. */
export const hiddenValue = ({ last4 }: Pick<HeaderOut, 'last4'>): string => `••••${last4 ?? ''}`;

const isEmpty = ({ name, value, stored }: HeaderRow) => !stored && name.trim() === '' && value === '';
const keyOf = (name: string) => name.trim().toLowerCase();

/** Errors by @mantine/form path: `headers.<position>`. */
export function rowErrors(rows: readonly HeaderRow[]): Record<string, string> {
  const names = new Set<string>();
  const errors: Record<string, string> = {};
  for (const [index, row] of rows.entries()) {
    if (isEmpty(row)) continue;
    const key = keyOf(row.name);
    if (key === '') errors[`headers.${index}`] = texts.nameMissing;
    else if (names.has(key)) errors[`headers.${index}`] = texts.repeated;
    else if (row.value === '' && !row.stored) errors[`headers.${index}`] = texts.valueMissing;
    names.add(key);
  }
  return errors;
}

/** Moves errors of the API from names to positions: `headers.X-Api-Key` → `headers.0`. */
export function atPositions(
  errors: Readonly<Record<string, string>>,
  rows: readonly HeaderRow[],
): Record<string, string> {
  const moved = Object.entries(errors).map(([path, message]) => {
    const index = rows.findIndex(({ name }) => path === `headers.${name.trim()}`);
    return [index === -1 ? path : `headers.${index}`, message];
  });
  return Object.fromEntries(moved) as Record<string, string>;
}

/** The headers with a value in these rows: all of a new webhook. */
export const enteredHeaders = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.filter(({ value }) => value !== '').map(({ name, value }) => [name.trim(), value.trim()]),
  );

/** The change from the stored headers to these rows; `undefined` if there is none. */
export function patchOf(
  stored: readonly HeaderOut[],
  rows: readonly HeaderRow[],
): Record<string, string | null> | undefined {
  const left = new Set(rows.map(({ name }) => keyOf(name)));
  const removed = stored.filter(({ name }) => !left.has(keyOf(name))).map(({ name }) => [name, null]);
  const patch = { ...Object.fromEntries(removed), ...enteredHeaders(rows) } as Record<string, string | null>;
  return Object.keys(patch).length === 0 ? undefined : patch;
}
