import type { WebhookQueue } from './webhook-queues.ts';

/**
 * How many attempts may run at once in this process. The last quarter of each account's permits,
 * and of all, is reserved for webhooks with nothing running, so that many endpoints that hang leave
 * something to the others.
 */
export interface ConcurrencyLimits {
  /**
   * The initial value: lower while the endpoint fails, up to four times higher while it keeps up
   * with a backlog.
   */
  perWebhook: number;
  perAccount: number;
  global: number;
}

/**
 * How an attempt ended, or `unused` when there was none. A success raises the webhook's concurrency
 * by one, a failure halves it. `pauseUntil`: it failed, and the webhook is paused until that time
 * (milliseconds since the epoch).
 */
export type Feedback = 'unused' | 'success' | 'failure' | 'webhook_gone' | { pauseUntil: number };

/** The resources that this process uses now. */
export interface Usage {
  running: number;
  prefetched: number;
  bytes: number;
}

const GROWTH = 4;
/** The part that is reserved for webhooks with nothing running. */
const RESERVED = 1 / 4;
/**
 * How many deliveries a webhook may prefetch: initially, for each permit; at least, when it fails;
 * at most, for each permit, when it gets through them. Each prefetched delivery has a lease that
 * must be renewed, so there should be few where nothing moves.
 */
const PREFETCH_PER_PERMIT = 16;
const MIN_PREFETCH = 16;
const MAX_PREFETCH_PER_PERMIT = 64;
/**
 * The same for all webhooks together, for each permit of the process; an account gets a quarter of
 * it.
 */
const GLOBAL_PREFETCH_PER_PERMIT = 16;
/** Above this size in memory nothing more is prefetched. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The rules for permits and prefetching as pure functions of a queue and the usage of the process.
 */
export function permitRules(limits: ConcurrencyLimits, usage: Readonly<Usage>) {
  type Queue = WebhookQueue<unknown>;
  const shared = {
    perAccount: limits.perAccount - Math.floor(limits.perAccount * RESERVED),
    global: limits.global - Math.floor(limits.global * RESERVED),
  };
  const maxPrefetched = limits.global * GLOBAL_PREFETCH_PER_PERMIT;

  const mayRun = (queue: Queue) => queue.running < queue.limit && !queue.isPaused && !queue.isResting;

  const hasFreePermit = (queue: Queue) => {
    const most = queue.running === 0 ? limits : shared;
    return queue.account.running < most.perAccount && usage.running < most.global;
  };

  const mayPrefetch = (queue: Queue) =>
    queue.prefetched < queue.maxPrefetched &&
    queue.account.prefetched < maxPrefetched / 4 &&
    usage.prefetched < maxPrefetched &&
    usage.bytes < MAX_BYTES &&
    !queue.isPaused;

  const needsRefill = (queue: Queue) =>
    queue.hasBacklog &&
    !queue.isRefilling &&
    queue.prefetched <= queue.maxPrefetched / 2 &&
    ((queue.prefetched === 0 && mayRun(queue)) || mayPrefetch(queue));

  const isIdle = (queue: Queue) =>
    queue.running === 0 &&
    queue.prefetched === 0 &&
    !queue.hasBacklog &&
    !queue.isRefilling &&
    !queue.isPaused &&
    !queue.isResting;

  /** It has deliveries, and its own limits allow an attempt, but none is running. */
  const isWaiting = (queue: Queue) => queue.running === 0 && mayRun(queue) && !isIdle(queue);

  return {
    initial: { limit: limits.perWebhook, maxPrefetched: limits.perWebhook * PREFETCH_PER_PERMIT },
    shared,
    mayRun,
    hasFreePermit,
    withoutPermitSince: (queue: Queue) => (hasFreePermit(queue) ? undefined : queue.waitingSince),
    mayPrefetch,
    needsRefill,
    isIdle,
    isWaiting,

    /**
     * A queue with a lowered limit isn't forgotten at once, or the limit would be reset between two
     * deliveries.
     */
    canForget: (queue: Queue) => isIdle(queue) && queue.limit >= limits.perWebhook,

    /**
     * Prefetches about two seconds of a webhook with a rate limit; other processes may need the
     * rest.
     */
    slowDown(queue: Queue, perSecond: number): void {
      queue.maxPrefetched = Math.min(queue.maxPrefetched, Math.max(MIN_PREFETCH, 2 * perSecond));
    },

    /** Adapts the webhook's limits. `wasFull`: all of its permits were in use. */
    adapt(queue: Queue, feedback: Feedback, wasFull: boolean): void {
      if (feedback === 'success') {
        const most = wasFull ? limits.perWebhook * GROWTH : Math.max(queue.limit, limits.perWebhook);
        queue.limit = Math.min(most, queue.limit + 1);
        queue.maxPrefetched = Math.min(limits.perWebhook * MAX_PREFETCH_PER_PERMIT, queue.maxPrefetched + 1);
      } else if (feedback === 'webhook_gone') {
        queue.limit = limits.perWebhook;
      } else if (feedback !== 'unused') {
        queue.limit = Math.max(1, Math.floor(queue.limit / 2));
        queue.maxPrefetched = Math.max(MIN_PREFETCH, Math.floor(queue.maxPrefetched / 2));
      }
    },
  };
}
