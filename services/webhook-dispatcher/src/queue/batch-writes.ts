import { createBatcher } from '@svcforms/primitives';

/**
 * Long enough for a batch to form under load, short enough that a single delivery doesn't notice
 * it.
 */
const DELAY_MS = 8;
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
