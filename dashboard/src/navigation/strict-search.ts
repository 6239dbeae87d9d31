/**
 * A reader of search parameters for a route. The router lays what a reader returns over the raw
 * parameters, so those that `read` leaves out would still reach the screen: here they are
 * undefined.
 */
export function strictSearch<Search extends object>(
  read: (search: Record<string, unknown>) => Search,
): (search: Record<string, unknown>) => Search {
  return (search) => ({
    ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
    ...read(search),
  });
}

/** The text of a parameter. The router parses values that look like numbers or booleans. */
export const searchText = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';

/** Whether any of these parameters is present. */
export const hasSearch = (search: object): boolean =>
  Object.values(search).some((value) => value !== undefined);
