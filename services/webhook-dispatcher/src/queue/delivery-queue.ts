import { randomUUID } from 'node:crypto';
import { createWorkPollSchedule, type DocumentStore, type UpdateOperation } from '@svcforms/document-store';
import { waitAtMost, type Clock, type CreateJob, type Logger } from '@svcforms/primitives';
import { DELIVERIES, RECOVERIES, type DeliveryRecord, type RecoveryRecord } from '@svcforms/records';
import type { FindErasedEvents } from '../store/erased-events.ts';
import type { StoreRetries } from '../store/store-retry.ts';
import { batchWrites } from './batch-writes.ts';
import { createClaims } from './claims.ts';
import { completed, completionUpdate, type Completion } from './completion.ts';
import { createDeferredInserts } from './deferred-inserts.ts';
import { createDeliverySweep } from './delivery-sweep.ts';
import { insertUnlessErased } from './insert-unless-erased.ts';
import { createIntake } from './intake.ts';
import { createLeases, waitsSince, type Lease } from './leases.ts';
import type { ConcurrencyLimits, Feedback } from './permit-rules.ts';
import { createPermits } from './permits.ts';
import { createQueueJobs } from './queue-jobs.ts';
import { createRecovery } from './recovery.ts';

const REFILLS_MAY_TAKE_MS = 5_000;
/**
 * Long enough that a few results share a write also at a low rate. No attempt waits for it: the
 * permit is free before the result is stored.
 */
const RESULT_DELAY_MS = 25;

/**
 * The deliveries of this process: it decides which one may be attempted now, and keeps them in the
 * store. It owns the leases, the concurrency permits, the deferred inserts, the delivery sweep and
 * the recoveries.
 */
export interface DeliveryQueue {
  /**
   * Adds new deliveries and resolves when all are stored. A delivery that is already stored stays
   * unchanged. `isNew`: none of them can be stored yet, so attempts may start before the insert.
   */
  enqueue(deliveries: readonly DeliveryRecord[], options: { isNew: boolean }): Promise<void>;
  /**
   * Returns a delivery to attempt now, under a lease and with a permit; `undefined` if there is
   * none.
   */
  next(): Lease | undefined;
  /** Whether the lease is still this process's: it hasn't expired, and its event wasn't erased. */
  isValid(lease: Lease): boolean;
  /**
   * Releases the permit at once, stores what became of the delivery, and ends the lease. Resolves
   * when that is durable.
   */
  complete(lease: Lease, completion: Completion): Promise<void>;
  /**
   * Takes a delivery back that the rate limit of its webhook doesn't allow to attempt for
   * `waitMs`. `next` returns it, and others of the webhook, then. `perSecond`: the rate limit.
   */
  postpone(lease: Lease, limit: { waitMs: number; perSecond: number }): void;
  /** How many deliveries of the lease's webhook are in memory. */
  inMemory(lease: Lease): number;
  /** Returns a delivery without a result. It's due again when its lease expires in the store. */
  release(lease: Lease): void;
  /**
   * Returns since when the oldest delivery waits, ISO 8601, of those whose webhook has nothing
   * running although its own limits allow an attempt: its account or this process has no permit or
   * room left.
   */
  oldestWithoutRoom(): string | undefined;
  /** Sets the function that is called whenever `next` may have something. */
  onReady(listener: () => void): void;
  /** Keeps deliveries of erased events from being attempted. */
  dropErased(eventIds: ReadonlySet<string>): void;
  /**
   * Makes the deliveries of dead processes due now. Only for a process that is alone on its store.
   */
  freeAllLeases(): Promise<void>;
  /** Starts to look for deliveries in the store. */
  start(): void;
  /**
   * Stops looking and returns to the store what hasn't started. Leases of running attempts are
   * still renewed.
   */
  drain(): Promise<void>;
  /** Returns everything else. Call it when no attempt is running. */
  close(): Promise<void>;
}

interface DeliveryQueueConfig {
  limits: ConcurrencyLimits;
  deliveryTimeoutMs: number;
}

interface DeliveryQueueDeps {
  store: Pick<DocumentStore, 'collection'>;
  retry: StoreRetries;
  findErased: FindErasedEvents;
  /** Returns the webhooks whose pause ended early. */
  liftedPauses: () => Promise<readonly string[]>;
  createJob: CreateJob;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Aborts when the service stops. */
  signal: AbortSignal;
  now: Clock;
}

export function createDeliveryQueue(
  { limits, deliveryTimeoutMs }: DeliveryQueueConfig,
  deps: DeliveryQueueDeps,
): DeliveryQueue {
  const { store, retry, findErased, liftedPauses, createJob, log, signal, now } = deps;
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const recoveries = store.collection<RecoveryRecord>(RECOVERIES);
  let ready = () => {};
  const onReady = () => ready();
  const permits = createPermits<Lease>(limits);
  const onErased = (eventIds: ReadonlySet<string>) => leases.revoke(eventIds);
  const insertMany = insertUnlessErased({ deliveries, findErased, onErased });
  const deferredInserts = createDeferredInserts({ deliveries: { insertMany }, retry });
  const owner = randomUUID();
  const leases = createLeases({ deliveries, deferredInserts, permits, owner, deliveryTimeoutMs, now });
  const intake = createIntake({ deliveries, deferredInserts, permits, leases, now });
  const claims = createClaims({ deliveries, permits, leases, now });
  const sweep = createDeliverySweep({ deliveries, leases, claims, permits, onReady, signal, now });
  const recoverySchedule = createWorkPollSchedule(recoveries, { now });
  const recoverAll = createRecovery({ recoveries, deliveries, permits, onReady, log, signal, now });
  const recover = () => recoverySchedule.pollIfDue(recoverAll);
  const writeResults = (operations: readonly UpdateOperation<DeliveryRecord>[]) =>
    retry.results(() => deliveries.bulkUpdate(operations));
  const writeResult = batchWrites(writeResults, { delayMs: RESULT_DELAY_MS });
  const refills = new Set<Promise<void>>();

  const jobs = createQueueJobs({ createJob, permits, leases, sweep, recover, liftedPauses, onReady, now });

  function startRefill(refill: Promise<void>): void {
    refills.add(refill);
    void refill.then(() => refills.delete(refill));
  }

  function releasePermit(lease: Lease, feedback: Feedback): void {
    if (lease.isReleased) return;
    lease.isReleased = true;
    permits.release(lease.reservation, feedback);
    ready();
  }

  function returnAll(): Promise<void> {
    return leases.returnAll().catch((err: unknown) => {
      log.warn({ event: 'dispatcher.not_flushed', err }, 'deliveries not returned; their leases will expire');
    });
  }

  return {
    async enqueue(fresh, { isNew }) {
      const stored = isNew ? intake.insertDeferred(fresh) : intake.insert(fresh);
      if (isNew) ready();
      await stored;
      ready();
    },

    next() {
      for (let work = permits.next(); work; work = permits.next()) {
        if (work.kind === 'refill') startRefill(sweep.refill(work));
        else if (leases.isValid(work.item)) return work.item;
        else permits.release(work.reservation, 'unused');
      }
      return undefined;
    },

    isValid: (lease) => leases.isValid(lease),

    async complete(lease, completion) {
      // The endpoint is done with the delivery: the next attempt doesn't wait for the store.
      releasePermit(lease, completion.feedback);
      const { _id } = lease.delivery;
      try {
        if (!(await deferredInserts.complete(_id, (record) => completed(record, completion)))) {
          // In one write with the end of the lease, and only while this process still has it.
          await writeResult({ filter: { _id, owner: leases.owner }, update: completionUpdate(completion) });
        }
      } finally {
        leases.forget(_id);
      }
      if (completion.dueAt !== undefined) jobs.sweepAt(completion.dueAt);
    },

    postpone(lease, { waitMs, perSecond }) {
      permits.postpone(lease.reservation, lease, { until: performance.now() + waitMs, perSecond });
      jobs.wakeAfter(waitMs);
    },

    inMemory: ({ reservation }) => permits.inMemory(reservation),

    release(lease) {
      leases.forget(lease.delivery._id);
      releasePermit(lease, 'unused');
    },

    oldestWithoutRoom() {
      const inMemory = permits.withoutPermit().map(({ item, since }) => waitsSince(item.dueSince, since));
      const inStore = sweep.oldestWithoutRoom();
      return [...inMemory, ...(inStore === undefined ? [] : [inStore])].toSorted()[0];
    },

    onReady: (listener) => void (ready = listener),
    dropErased: (eventIds) => leases.revoke(eventIds),
    freeAllLeases: () => sweep.freeAllLeases(),

    start: () => jobs.start(),

    async drain() {
      await jobs.stopLookups();
      await returnAll();
    },

    async close() {
      await Promise.all([jobs.stopRenewal(), waitAtMost(Promise.all(refills), REFILLS_MAY_TAKE_MS)]);
      // A refill that was running may have leased some more.
      await returnAll();
    },
  };
}
