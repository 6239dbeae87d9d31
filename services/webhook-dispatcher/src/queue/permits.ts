import { createFairTurns } from './fair-turns.ts';
import { permitRules, type ConcurrencyLimits, type Feedback, type Usage } from './permit-rules.ts';
import { createQueueBlocks } from './queue-blocks.ts';
import {
  createWebhookQueues,
  type Entry,
  type QueueReservation,
  type Reservation,
  type WebhookQueue,
  type WebhookRef,
} from './webhook-queues.ts';

type Work<T> =
  | { kind: 'run'; item: T; reservation: Reservation }
  /**
   * The store has a backlog of this webhook, and there is room for some of it: load it, then call
   * `refilled`.
   */
  | ({ kind: 'refill' } & WebhookRef);

export interface Permits<T> {
  /**
   * Reserves room for a delivery, or returns `null` when the delivery must wait in the store. A
   * delivery that has just become `due` doesn't overtake the backlog. `bytes`: about how much
   * memory it needs, if that is known.
   */
  reserve(webhook: WebhookRef, origin: 'due' | 'backlog', bytes?: number): Reservation | null;
  /** Puts the delivery into its reservation. */
  fill(reservation: Reservation, item: T, bytes: number): void;
  /**
   * Returns what to do next, in turn between accounts and between an account's webhooks. `run`
   * items have a permit.
   */
  next(): Work<T> | undefined;
  /** Returns a reservation and adapts the webhook's concurrency. */
  release(reservation: Reservation, feedback: Feedback): void;
  /**
   * Takes an item back whose permit the rate limit of its webhook doesn't allow to use yet: it's
   * the next one after `until` (milliseconds of a monotonic clock). `perSecond`: the rate limit.
   */
  postpone(reservation: Reservation, item: T, limit: { until: number; perSecond: number }): void;
  /** Returns how many deliveries of the webhook are in memory. */
  inMemory(reservation: Reservation): number;
  /**
   * Notes that the store has a backlog of this webhook. Call it after the deliveries are stored.
   */
  markBacklog(webhook: WebhookRef): void;
  /** Ends a refill. `hasMore`: it didn't load the whole backlog. */
  refilled(webhook: WebhookRef, hasMore: boolean): void;
  /**
   * Ends the pauses that are over, and those of the webhooks in `lifted`, forgets webhooks that
   * have been idle for long, and notices which ones wait. Call it often. `now`: milliseconds since
   * the epoch.
   */
  resume(now: number, lifted?: readonly string[]): void;
  /**
   * Lets webhooks continue whose rate limit allows attempts again. `now`: milliseconds of the
   * same clock.
   */
  wake(now: number): void;
  /**
   * Returns since when the webhook has had deliveries and its own limits have allowed an attempt,
   * but none has been running, in milliseconds since the epoch; `undefined` if that isn't so. A
   * webhook with something running only waits for its turn.
   */
  waitingSince(webhook: WebhookRef): number | undefined;
  /** The same, but only if its account or the process has no permit left. */
  withoutPermitSince(webhook: WebhookRef): number | undefined;
  /**
   * Returns the next delivery in memory of each webhook that lacks a permit, and since when it
   * does.
   */
  withoutPermit(): { item: T; since: number }[];
  /** Removes and returns the prefetched deliveries above the webhooks' current limits. */
  takeExcess(): T[];
  /** Removes and returns every delivery that hasn't started. */
  takeAll(): T[];
}

/**
 * The concurrency permits of this process, per webhook, per account and global, and the deliveries
 * in memory. It's a pure data structure: the caller reads the backlog from the store.
 */
export function createPermits<T>(limits: ConcurrencyLimits): Permits<T> {
  const usage: Usage = { running: 0, prefetched: 0, bytes: 0 };
  const rules = permitRules(limits, usage);
  const queues = createWebhookQueues<T>(rules.initial);
  const turns = createFairTurns<T>({
    hasShared: (account) => account.running < rules.shared.perAccount,
    hasReserved: (account) => account.running < limits.perAccount,
  });
  const pauses = createQueueBlocks<T>('isPaused', (queue) => {
    // One delivery finds out whether it's ready. docs/reference/webhooks.md#retry-after
    queue.limit = 1;
    refresh(queue);
  });
  const rests = createQueueBlocks<T>('isResting', (queue) => {
    queue.postponed = 0;
    refresh(queue);
  });
  /** Deliveries that got their permit with the reservation, on their way to `next`. */
  const startable: Entry<T>[] = [];

  /**
   * Call it after every change of a queue: only here it becomes ready, stops being ready, or is
   * removed.
   */
  function refresh(queue: WebhookQueue<T>): void {
    turns.update(queue, (queue.entries.length > 0 && rules.mayRun(queue)) || rules.needsRefill(queue));
    if (rules.canForget(queue)) queues.remove(queue);
  }

  const remove = (entries: Entry<T>[]) => freeAll(usage, entries, refresh);

  return {
    reserve(webhook, origin, size) {
      const queue = queues.of(webhook);
      const overtakes = origin === 'due' && (queue.hasBacklog || queue.isRefilling);
      const hasPermit = queue.prefetched === 0 && rules.mayRun(queue) && rules.hasFreePermit(queue);
      const isAllowed = !overtakes && (hasPermit || rules.mayPrefetch(queue));
      const reservation = isAllowed ? take(usage, queue, hasPermit, size ?? queue.usualBytes) : null;
      refresh(queue);
      return reservation;
    },

    fill(given, item, size) {
      const reservation = given as QueueReservation<T>;
      const { queue } = reservation;
      usage.bytes += size - reservation.bytes;
      reservation.bytes = size;
      queue.usualBytes = size;
      (reservation.hasPermit ? startable : queue.entries).push({ item, reservation });
      refresh(queue);
    },

    next() {
      const first = startable.shift();
      if (first) return { kind: 'run', ...first };
      for (;;) {
        const queue = turns.take(usage.running < rules.shared.global, usage.running < limits.global);
        if (!queue) return undefined;
        const isRefill = rules.needsRefill(queue);
        // It may have been ready for a refill, for which another queue has used the room.
        const work = isRefill ? beginRefill(queue) : rules.mayRun(queue) && beginAttempt(usage, queue);
        refresh(queue);
        if (work) return work;
      }
    },

    release(given, feedback) {
      const reservation = given as QueueReservation<T>;
      const { queue } = reservation;
      const wasFull = queue.running >= queue.limit;
      free(usage, reservation);
      rules.adapt(queue, feedback, wasFull);
      if (typeof feedback === 'object') pauses.block(queue, feedback.pauseUntil);
      refresh(queue);
    },

    postpone(given, item, { until, perSecond }) {
      const reservation = given as QueueReservation<T>;
      const { queue } = reservation;
      setPermit(usage, reservation, false);
      queue.entries.splice(queue.postponed, 0, { item, reservation });
      queue.postponed += 1;
      rests.block(queue, until);
      rules.slowDown(queue, perSecond);
      refresh(queue);
    },

    inMemory: (given) => inMemory((given as QueueReservation<T>).queue),

    markBacklog(webhook) {
      const queue = queues.of(webhook);
      queue.hasBacklog = true;
      refresh(queue);
    },

    refilled(webhook, hasMore) {
      const queue = queues.of(webhook);
      queue.isRefilling = false;
      queue.hasBacklog ||= hasMore;
      refresh(queue);
    },

    resume(now, lifted) {
      pauses.end(now, lifted);
      queues.observe(now, rules);
    },

    wake: (now) => rests.end(now),

    waitingSince: (webhook) => queues.of(webhook).waitingSince,
    withoutPermitSince: (webhook) => rules.withoutPermitSince(queues.of(webhook)),

    withoutPermit: () => queues.all().flatMap((queue) => nextItem(queue, rules.withoutPermitSince(queue))),

    takeExcess: () => remove(queues.all().flatMap((queue) => queue.entries.splice(queue.maxPrefetched))),

    takeAll: () =>
      remove([...startable.splice(0), ...queues.all().flatMap((queue) => queue.entries.splice(0))]),
  };
}

const nextItem = <T>({ entries }: WebhookQueue<T>, since: number | undefined) =>
  since === undefined ? [] : entries.slice(0, 1).map(({ item }) => ({ item, since }));

const inMemory = ({ running, prefetched }: WebhookQueue<unknown>) => running + prefetched;

function count<T>(usage: Usage, queue: WebhookQueue<T>, what: 'running' | 'prefetched', n: 1 | -1): void {
  queue[what] += n;
  queue.idleSince = undefined;
  if (queue.running > 0) queue.waitingSince = undefined;
  queue.account[what] += n;
  usage[what] += n;
}

/** Gives a reservation a permit or takes it away. */
function setPermit<T>(usage: Usage, reservation: QueueReservation<T>, hasPermit: boolean): void {
  reservation.hasPermit = hasPermit;
  count(usage, reservation.queue, 'running', hasPermit ? 1 : -1);
  count(usage, reservation.queue, 'prefetched', hasPermit ? -1 : 1);
}

function beginRefill<T>(queue: WebhookQueue<T>): Work<T> {
  queue.isRefilling = true;
  queue.hasBacklog = false;
  return { kind: 'refill', webhookId: queue.webhookId, accountId: queue.accountId };
}

/** Gives the first entry of the queue a permit. */
function beginAttempt<T>(usage: Usage, queue: WebhookQueue<T>): Work<T> | undefined {
  const entry = queue.entries.shift();
  if (!entry) return undefined;
  setPermit(usage, entry.reservation, true);
  return { kind: 'run', ...entry };
}

function take<T>(
  usage: Usage,
  queue: WebhookQueue<T>,
  hasPermit: boolean,
  bytes: number,
): QueueReservation<T> {
  count(usage, queue, hasPermit ? 'running' : 'prefetched', 1);
  usage.bytes += bytes;
  return { queue, hasPermit, bytes };
}

function free<T>(usage: Usage, { queue, hasPermit, bytes }: QueueReservation<T>): void {
  count(usage, queue, hasPermit ? 'running' : 'prefetched', -1);
  usage.bytes -= bytes;
}

/** Frees the reservations of these entries and returns their items. */
function freeAll<T>(
  usage: Usage,
  entries: readonly Entry<T>[],
  refresh: (queue: WebhookQueue<T>) => void,
): T[] {
  return entries.map(({ item, reservation }) => {
    free(usage, reservation);
    refresh(reservation.queue);
    return item;
  });
}
