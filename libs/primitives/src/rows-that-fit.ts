/**
 * How many rows to read next, so that they have about `maxCharacters` in total. Assumes that the
 * next rows are as large as these, but they may be larger, so there are at most twice as many. At
 * least 1, at most `maxRows`.
 */
export function rowsThatFit<T>(
  found: readonly T[],
  sizeOf: (row: T) => number,
  { maxRows, maxCharacters }: { maxRows: number; maxCharacters: number },
): number {
  const characters = found.reduce((sum, row) => sum + sizeOf(row), 0);
  const fitting = Math.floor((maxCharacters * found.length) / Math.max(1, characters));
  return Math.max(1, Math.min(maxRows, fitting, 2 * found.length));
}

/**
 * How many characters the texts of a document have together, without those inside of other values.
 */
export function charactersOf(document: object): number {
  return Object.values(document).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
