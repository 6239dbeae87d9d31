/** A queue for each account, from which items are taken round-robin. */
interface RoundRobin<T> {
  add(item: T): void;
  lengthOf(accountId: string): number;
  /** Takes the first item of the next account that isn't busy; the account is then the last one. */
  take(busy: ReadonlySet<string | undefined>): T | undefined;
  takeAll(): T[];
}

export function createRoundRobin<T extends { accountId: string }>(): RoundRobin<T> {
  /** In round-robin order. No queue is empty. */
  const queues = new Map<string, T[]>();

  return {
    add(item) {
      const queue = queues.get(item.accountId);
      if (queue) queue.push(item);
      else queues.set(item.accountId, [item]);
    },

    lengthOf: (accountId) => queues.get(accountId)?.length ?? 0,

    take(busy) {
      for (const [accountId, queue] of queues) {
        if (busy.has(accountId)) continue;
        queues.delete(accountId);
        const [next, ...rest] = queue;
        if (rest.length > 0) queues.set(accountId, rest);
        return next;
      }
      return undefined;
    },

    takeAll() {
      const all = [...queues.values()].flat();
      queues.clear();
      return all;
    },
  };
}
