import { useState } from 'react';

/**
 * The number of rows that were added since the list with the key `list` loaded, to announce them to
 * screen readers. `list` is undefined while it loads.
 */
export function useNewRowCount(
  rows: readonly { id: string; createdAt: string }[],
  list: string | undefined,
): number {
  const [first, setFirst] = useState({ list: '', newest: '' });
  if (list === undefined) return 0;
  if (first.list !== list) {
    // The rows may be sorted in any order.
    const times = rows.map(({ createdAt }) => createdAt);
    setFirst({ list, newest: times.reduce((newest, at) => (at > newest ? at : newest), '') });
    return 0;
  }
  return rows.filter(({ createdAt }) => createdAt > first.newest).length;
}
