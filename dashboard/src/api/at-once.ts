import type { QueryClient, QueryKey } from '@tanstack/react-query';

interface Entry {
  id: string;
}

/** What was cached before a change. */
type Snapshot = readonly (readonly [QueryKey, unknown])[];

/**
 * Callbacks of a mutation whose result screens show at once, before the response. If the request
 * fails, they show what they showed before, and the toast of failed mutations says why. Either way,
 * what was changed is loaded again.
 *
 * `keys` are the beginnings of the keys of cached queries: of records, of lists, and of lists in
 * pages. `change` returns what becomes of an entry, or undefined if it is removed.
 */
export function atOnce<T extends Entry, V>(
  queryClient: QueryClient,
  keys: readonly QueryKey[],
  change: (entry: T, variables: V) => T | undefined,
) {
  return {
    async onMutate(variables: V): Promise<Snapshot> {
      // A response to an earlier request would bring the old state back.
      await Promise.all(keys.map((queryKey) => queryClient.cancelQueries({ queryKey })));
      const before = keys.flatMap((queryKey) => queryClient.getQueriesData({ queryKey }));
      for (const [key, data] of before) {
        queryClient.setQueryData(
          key,
          changed<T>(data, (entry) => change(entry, variables)),
        );
      }
      return before;
    },
    onError(_error: Error, _variables: V, before: Snapshot | undefined): void {
      for (const [key, data] of before ?? []) queryClient.setQueryData(key, data);
    },
    onSettled: async (): Promise<void> => {
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  };
}

/** For `atOnce`: removes the entry that the mutation is about. */
export const withoutIt = <T extends Entry>(entry: T, { id }: Entry): T | undefined =>
  entry.id === id ? undefined : entry;

/** Returns undefined, which changes nothing, for a record that would be removed. */
function changed<T extends Entry>(data: unknown, change: (entry: T) => T | undefined): unknown {
  if (Array.isArray(data)) return (data as T[]).map(change).filter((entry) => entry !== undefined);
  if (typeof data !== 'object' || data === null) return undefined;
  if ('pages' in data) {
    const pages = (data.pages as { data: T[] }[]).map((page) => ({
      ...page,
      data: changed(page.data, change),
    }));
    return { ...data, pages };
  }
  return 'id' in data ? change(data as T) : undefined;
}
