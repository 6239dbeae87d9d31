import { useState } from 'react';

/**
 * How many rows came by themselves since the list that `list` names was first shown; for those who can not see them come. `list` is
 * undefined while it is being read.
 */
export function useArrived(
  rows: readonly { id: string; createdAt: string }[],
  list: string | undefined,
): number {
  const [first, setFirst] = useState({ list: '', newest: '' });
  if (list === undefined) return 0;
  if (first.list !== list) {
    setFirst({ list, newest: rows[0]?.createdAt ?? '' });
    return 0;
  }
  return rows.filter(({ createdAt }) => createdAt > first.newest).length;
}
