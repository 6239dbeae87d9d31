import type { Collection, UpdateOperation } from '@svcforms/document-store';
import type { DeliveryRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';
import { createGatherer } from './gather.ts';

export interface ResultWriter {
  /** Resolves when the update is durable; it is tried until it is. Updates of the same moment share a round trip. */
  write(operation: UpdateOperation): Promise<void>;
}

/** Writes the results of attempts in batches, one batch at a time. */
export function createResultWriter(deps: {
  deliveries: Pick<Collection<DeliveryRecord>, 'bulkUpdate'>;
  retry: StoreRetry;
}): ResultWriter {
  const { deliveries, retry } = deps;
  return { write: createGatherer((operations) => retry(() => deliveries.bulkUpdate(operations))) };
}
