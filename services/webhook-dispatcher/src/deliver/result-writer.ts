import type { Collection, UpdateOperation } from '@svcforms/document-store';
import type { DeliveryRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';

const GATHER_MS = 8;
const BATCH_SIZE = 200;

export interface ResultWriter {
  /** Resolves when the update is durable; it is tried until it is. Updates of the same moment share a round trip. */
  write(operation: UpdateOperation): Promise<void>;
}

interface Waiting {
  operation: UpdateOperation;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Writes the results of attempts in batches, one batch at a time. */
export function createResultWriter(deps: {
  deliveries: Pick<Collection<DeliveryRecord>, 'bulkUpdate'>;
  retry: StoreRetry;
}): ResultWriter {
  const { deliveries, retry } = deps;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function beginSoon(): void {
    if (waiting.length >= BATCH_SIZE) begin();
    else if (waiting.length > 0) timer ??= setTimeout(begin, GATHER_MS);
  }

  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    if (writing || waiting.length === 0) return;
    writing = writeBatch().then(() => {
      writing = undefined;
      beginSoon();
    });
  }

  async function writeBatch(): Promise<void> {
    const batch = waiting.splice(0, BATCH_SIZE);
    try {
      await retry(() => deliveries.bulkUpdate(batch.map(({ operation }) => operation)));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    write: (operation) =>
      new Promise((resolve, reject) => {
        waiting.push({ operation, resolve, reject });
        if (!writing) beginSoon();
      }),
  };
}
