import { isStoreFailure, type Collection } from '@svcforms/document-store';
import type { DeliveryRecord } from '@svcforms/records';
import type { StoreRetries } from '../store/store-retry.ts';
import { batchWrites } from './batch-writes.ts';

/** A delivery whose result takes longer is inserted without it. */
const RESULT_WITHIN_MS = 100;
/**
 * How long a delivery with a result waits for others to share a command with. Only the
 * acknowledgement of its event waits for it. ADR 0083
 */
const STARTED_DELAY_MS = 100;
/** Shorter, because a delivery that nobody has started can only be attempted once it is stored. */
const IDLE_DELAY_MS = 25;

/**
 * Inserts deliveries whose attempt starts before they are stored. Their events stay unacknowledged
 * until then, so after a crash the deliveries are attempted again, like those whose lease expires.
 * ADR 0018
 */
export interface DeferredInserts {
  /**
   * Inserts each delivery with its result if that arrives soon, else without. Resolves when all
   * are durable. Rejects if the store is unavailable for long and one has no result yet; they are
   * inserted nevertheless when it is available.
   */
  defer(started: readonly DeliveryRecord[]): Promise<void>;
  /**
   * Inserts new deliveries that nobody has started. Resolves when all are durable, and rejects if
   * the store is unavailable for long.
   */
  insert(idle: readonly DeliveryRecord[]): Promise<void>;
  /** Inserts those of these deliveries that are still deferred. Resolves when all are durable. */
  flush(deliveryIds: readonly string[]): Promise<void>;
  /**
   * Adds the result with `finish` to a deferred delivery. Resolves with `true` when it is durable,
   * or with `false` when the delivery is already stored without it, so that the result needs a
   * write of its own.
   */
  complete(deliveryId: string, finish: (delivery: DeliveryRecord) => DeliveryRecord): Promise<boolean>;
}

interface Deferred {
  delivery: DeliveryRecord;
  inserting: Promise<void> | undefined;
  isAttempted: boolean;
  /** These report to the caller of `defer`, who waits for the whole batch. */
  onInserted: () => void;
  onFailed: (reason: unknown) => void;
}

export function createDeferredInserts(deps: {
  deliveries: Pick<Collection<DeliveryRecord>, 'insertMany'>;
  retry: Pick<StoreRetries, 'intake' | 'started'>;
}): DeferredInserts {
  const { deliveries, retry } = deps;
  const insertStarted = batchWrites(insertAll, { delayMs: STARTED_DELAY_MS });
  const insertIdle = batchWrites(
    (idle: readonly DeliveryRecord[]) => retry.intake(() => deliveries.insertMany(idle)),
    { delayMs: IDLE_DELAY_MS },
  );
  const deferred = new Map<string, Deferred>();

  async function insertAll(entries: readonly Deferred[]): Promise<void> {
    const insert = () => deliveries.insertMany(entries.map(({ delivery }) => delivery));
    try {
      await retry.intake(insert);
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      // A batch goes back as a whole. Batches whose attempts have all ended stay here: only this
      // process knows their results.
      for (const { isAttempted, onFailed } of deferred.values()) if (!isAttempted) onFailed(error);
      await retry.started(insert);
    }
  }

  function insertNow(entry: Deferred): Promise<void> {
    if (entry.inserting) return entry.inserting;
    const forget = () => void deferred.delete(entry.delivery._id);
    const inserting = insertStarted(entry).finally(forget);
    entry.inserting = inserting;
    inserting.then(entry.onInserted, entry.onFailed);
    return inserting;
  }

  return {
    defer(started) {
      if (started.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        let left = started.length;
        const onInserted = () => {
          left -= 1;
          if (left > 0) return;
          clearTimeout(timer);
          resolve();
        };
        const entries = started.map((delivery): Deferred => ({
          delivery,
          inserting: undefined,
          isAttempted: false,
          onInserted,
          onFailed: reject,
        }));
        for (const entry of entries) deferred.set(entry.delivery._id, entry);
        const timer = setTimeout(() => {
          // `onFailed` reports the error to the caller.
          for (const entry of entries) insertNow(entry).catch(() => {});
        }, RESULT_WITHIN_MS);
      });
    },

    async insert(idle) {
      await Promise.all(idle.map(insertIdle));
    },

    async flush(deliveryIds) {
      await Promise.all(deliveryIds.flatMap((id) => deferred.get(id) ?? []).map(insertNow));
    },

    async complete(deliveryId, finish) {
      const entry = deferred.get(deliveryId);
      if (!entry) return false;
      entry.isAttempted = true;
      if (entry.inserting) {
        await entry.inserting;
        return false;
      }
      entry.delivery = finish(entry.delivery);
      await insertNow(entry);
      return true;
    },
  };
}
