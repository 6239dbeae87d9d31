import type { AccountUsage, WebhookQueue } from './webhook-queues.ts';

interface FairTurns<T> {
  /**
   * Updates whether the queue takes turns. A queue that becomes ready goes to the end.
   */
  update(queue: WebhookQueue<T>, isReady: boolean): void;
  /**
   * Takes the queue whose turn it is. `hasShared`, `hasReserved`: which permits of the process are
   * free.
   */
  take(hasShared: boolean, hasReserved: boolean): WebhookQueue<T> | undefined;
}

/** Which of an account's permits are free. */
interface AccountPermits<T> {
  hasShared(account: AccountUsage<T>): boolean;
  hasReserved(account: AccountUsage<T>): boolean;
}

/**
 * Gives accounts turns, and within an account its webhooks. Webhooks with nothing running are also
 * in a second list, which can use the reserved permits, so that webhooks whose endpoints hang can't
 * starve them.
 */
export function createFairTurns<T>(permits: AccountPermits<T>): FairTurns<T> {
  const readyAccounts = new Set<AccountUsage<T>>();
  const idleAccounts = new Set<AccountUsage<T>>();
  let isIdleTurn = false;

  return {
    update(queue, isReady) {
      const { account } = queue;
      setMember(account.ready, queue, isReady);
      setMember(account.idle, queue, isReady && queue.running === 0);
      setMember(readyAccounts, account, account.ready.size > 0 && permits.hasShared(account));
      setMember(idleAccounts, account, account.idle.size > 0 && permits.hasReserved(account));
    },

    take(hasShared, hasReserved) {
      const ready = hasShared ? firstOf(readyAccounts, 'ready') : undefined;
      const idle = hasReserved ? firstOf(idleAccounts, 'idle') : undefined;
      isIdleTurn = !isIdleTurn;
      const queue = isIdleTurn ? (idle ?? ready) : (ready ?? idle);
      if (!queue) return undefined;
      // It leaves its lists; the caller's update puts it back at their end.
      const { account } = queue;
      readyAccounts.delete(account);
      idleAccounts.delete(account);
      account.ready.delete(queue);
      account.idle.delete(queue);
      return queue;
    },
  };
}

/** A new member comes last; a known one keeps its position. */
function setMember<T>(set: Set<T>, member: T, isMember: boolean): void {
  if (isMember) set.add(member);
  else set.delete(member);
}

function firstOf<T>(
  accounts: ReadonlySet<AccountUsage<T>>,
  list: 'ready' | 'idle',
): WebhookQueue<T> | undefined {
  const [account] = accounts;
  const [queue] = account?.[list] ?? [];
  return queue;
}
