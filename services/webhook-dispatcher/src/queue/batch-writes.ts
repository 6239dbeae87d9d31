import { createBatcher } from '@svcforms/primitives';

/**
 * Long enough that a few deliveries share a write also at a low rate. No attempt waits for it: the
 * permit is free before the result is stored.
 */
const DELAY_MS = 25;
const MAX_SIZE = 200;

/**
 * Groups writes of about the same time into batches, one batch in flight. The returned function
 * resolves when the batch of its item is durable, and rejects as `write` does.
 */
export function batchWrites<T>(write: (items: readonly T[]) => Promise<unknown>): (item: T) => Promise<void> {
  return createBatcher<T, void>({
    delayMs: DELAY_MS,
    maxSize: MAX_SIZE,
    async run(items) {
      await write(items);
      return items.map(() => undefined);
    },
  });
}
