interface KeysetPagesOptions<T, K> {
  /** Reads up to `limit` rows after this key; `undefined` reads the first. */
  read: (after: K | undefined, limit: number) => Promise<readonly T[]>;
  /** The sort key of a row. */
  keyOf: (row: T) => K;
  /** The number of rows in a full page. A page with fewer rows is the last. */
  pageSize: number;
  /** The size of the page after this one. Default: `pageSize`. */
  nextSize?: (page: readonly T[]) => number;
}

/**
 * Walks a sorted collection page by page. Each page is read after the last key of the page before
 * it, so rows that are inserted or removed meanwhile never make it skip or repeat others. Empty
 * pages aren't yielded.
 */
export async function* keysetPages<T, K>({
  read,
  keyOf,
  pageSize,
  nextSize = () => pageSize,
}: KeysetPagesOptions<T, K>): AsyncGenerator<readonly T[], void, undefined> {
  let after: K | undefined;
  let limit = pageSize;
  for (;;) {
    const page = await read(after, limit);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    after = keyOf(last);
    limit = nextSize(page);
  }
}
