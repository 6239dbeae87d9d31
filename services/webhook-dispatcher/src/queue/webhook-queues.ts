import { HOUR_MS } from '@svcforms/primitives';
/** Identifies a webhook and the account that its concurrency counts against. */
export interface WebhookRef {
  webhookId: string;
  accountId: string;
}

/**
 * The deliveries of one webhook that this process keeps in memory, and what it knows about the
 * endpoint.
 */
export interface WebhookQueue<T> extends WebhookRef {
  readonly account: AccountUsage<T>;
  /** The webhook's current concurrency. */
  limit: number;
  /**
   * How many deliveries may be prefetched now: as many as the endpoint will probably get through
   * soon.
   */
  maxPrefetched: number;
  /** Reservations with a permit. */
  running: number;
  /** Reservations without a permit: still empty, or in `entries`. */
  prefetched: number;
  entries: Entry<T>[];
  /** The store has deliveries that wait for this webhook. */
  hasBacklog: boolean;
  isRefilling: boolean;
  isPaused: boolean;
  /** The rate limit of the webhook allows no attempt now. */
  isResting: boolean;
  /** How many entries at the front were postponed since it rests. */
  postponed: number;
  /**
   * Since when nothing happens, in milliseconds since the epoch. Absent while something does, and
   * until that is noticed.
   */
  idleSince?: number | undefined;
  /**
   * Since when it waits for a permit or for room, with nothing running: noticed as `idleSince` is.
   */
  waitingSince?: number | undefined;
  /** The size of the last delivery: the estimate for deliveries that aren't loaded yet. */
  usualBytes: number;
}

/** The sum of an account's webhooks, and those of them that have something to do. */
export interface AccountUsage<T> {
  running: number;
  prefetched: number;
  queues: number;
  /** Queues that can start or fetch something now, first in, first out. */
  ready: Set<WebhookQueue<T>>;
  /** The part of `ready` that has nothing running. */
  idle: Set<WebhookQueue<T>>;
}

/**
 * The right to keep one delivery in memory: with a permit, which allows an attempt now, or
 * prefetched, which gets the next free permit without another query.
 */
export interface Reservation {
  readonly queue: object;
}

export interface QueueReservation<T> extends Reservation {
  readonly queue: WebhookQueue<T>;
  hasPermit: boolean;
  bytes: number;
}

export interface Entry<T> {
  item: T;
  reservation: QueueReservation<T>;
}

interface WebhookQueues<T> {
  /** Finds the webhook's queue or creates it. */
  of(webhook: WebhookRef): WebhookQueue<T>;
  all(): WebhookQueue<T>[];
  remove(queue: WebhookQueue<T>): void;
  /**
   * Notes since when queues are idle or wait, and removes those that have been idle for long.
   * `now`: milliseconds since the epoch.
   */
  observe(now: number, rules: Record<'isIdle' | 'isWaiting', (queue: WebhookQueue<T>) => boolean>): void;
}

/** An idle webhook with a lowered limit is forgotten after this time: it may have been deleted. */
const FORGET_MS = HOUR_MS;

/** The estimate for a webhook without any delivery so far. */
const UNKNOWN_BYTES = 64 * 1024;

/** Creates the table of webhook queues, grouped by account. */
export function createWebhookQueues<T>(initial: { limit: number; maxPrefetched: number }): WebhookQueues<T> {
  const queues = new Map<string, WebhookQueue<T>>();
  const accounts = new Map<string, AccountUsage<T>>();

  function accountOf(accountId: string): AccountUsage<T> {
    let account = accounts.get(accountId);
    if (!account) {
      account = { running: 0, prefetched: 0, queues: 0, ready: new Set(), idle: new Set() };
      accounts.set(accountId, account);
    }
    return account;
  }

  function remove(queue: WebhookQueue<T>): void {
    if (queues.delete(queue.webhookId) && --queue.account.queues === 0) accounts.delete(queue.accountId);
  }

  return {
    of({ webhookId, accountId }) {
      const known = queues.get(webhookId);
      if (known) return known;
      const account = accountOf(accountId);
      account.queues++;
      const queue: WebhookQueue<T> = {
        webhookId,
        accountId,
        account,
        ...initial,
        running: 0,
        prefetched: 0,
        entries: [],
        hasBacklog: false,
        isRefilling: false,
        isPaused: false,
        isResting: false,
        postponed: 0,
        usualBytes: UNKNOWN_BYTES,
      };
      queues.set(webhookId, queue);
      return queue;
    },

    all: () => [...queues.values()],

    remove,

    observe(now, { isIdle, isWaiting }) {
      for (const queue of queues.values()) {
        queue.waitingSince = isWaiting(queue) ? (queue.waitingSince ?? now) : undefined;
        if (!isIdle(queue)) continue;
        queue.idleSince ??= now;
        if (now - queue.idleSince >= FORGET_MS) remove(queue);
      }
    },
  };
}
