import type { Collection } from '@svcforms/document-store';
import type { DeliveryRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';
import { createGatherer } from './gather.ts';

/** A delivery whose result takes longer is stored without. */
const RESULT_WITHIN_MS = 100;

/**
 * Stores deliveries that are begun before they are in the store. Until they are, their events are not acknowledged, so a crash
 * has them begun again, as it has those whose lease runs out. docs/adr/0018
 */
export interface FirstWrites {
  /** Stores each with its result, where that comes soon, else as it is. Resolves when all are durable. */
  store(begun: readonly DeliveryRecord[]): Promise<void>;
  /** Stores new deliveries that nobody has begun. Resolves when all are durable. */
  insert(idle: readonly DeliveryRecord[]): Promise<void>;
  /** Of these, stores those that are not stored yet, as they are. Resolves when all are durable. */
  flush(deliveryIds: readonly string[]): Promise<void>;
  /**
   * The result of a delivery: `ended` gives the record with it. Resolves when that is durable, or with `false` when the delivery
   * is in the store without its result, which has to be written by itself.
   */
  end(deliveryId: string, ended: (delivery: DeliveryRecord) => DeliveryRecord): Promise<boolean>;
}

interface Unwritten {
  delivery: DeliveryRecord;
  writing: Promise<void> | undefined;
  /** Tell those who wait for the whole batch. */
  onWritten: () => void;
  onFailed: (reason: unknown) => void;
}

export function createFirstWrites(deps: {
  deliveries: Pick<Collection<DeliveryRecord>, 'insertMany'>;
  retry: StoreRetry;
}): FirstWrites {
  const { deliveries, retry } = deps;
  const insert = createGatherer<DeliveryRecord>((records) => retry(() => deliveries.insertMany(records)));
  const unwritten = new Map<string, Unwritten>();

  function write(entry: Unwritten): Promise<void> {
    if (entry.writing) return entry.writing;
    const forget = () => void unwritten.delete(entry.delivery._id);
    const writing = insert(entry.delivery).finally(forget);
    entry.writing = writing;
    writing.then(entry.onWritten, entry.onFailed);
    return writing;
  }

  return {
    store(begun) {
      if (begun.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        let left = begun.length;
        const onWritten = () => {
          left -= 1;
          if (left > 0) return;
          clearTimeout(timer);
          resolve();
        };
        const entries = begun.map((delivery): Unwritten => ({
          delivery,
          writing: undefined,
          onWritten,
          onFailed: reject,
        }));
        for (const entry of entries) unwritten.set(entry.delivery._id, entry);
        const timer = setTimeout(() => {
          // Whoever waits for the batch is told by `onFailed`.
          for (const entry of entries) write(entry).catch(() => {});
        }, RESULT_WITHIN_MS);
      });
    },

    async insert(idle) {
      await Promise.all(idle.map(insert));
    },

    async flush(deliveryIds) {
      await Promise.all(deliveryIds.flatMap((id) => unwritten.get(id) ?? []).map(write));
    },

    async end(deliveryId, ended) {
      const entry = unwritten.get(deliveryId);
      if (!entry) return false;
      if (entry.writing) {
        await entry.writing;
        return false;
      }
      entry.delivery = ended(entry.delivery);
      await write(entry);
      return true;
    },
  };
}
