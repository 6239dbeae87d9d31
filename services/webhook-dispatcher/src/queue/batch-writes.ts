import { createBatcher } from '@svcforms/primitives';

const MAX_SIZE = 200;

/**
 * Groups writes into batches, one batch in flight; the first of a batch waits `delayMs` for others.
 * The returned function resolves when the batch of its item is durable, and rejects as `write`
 * does.
 */
export function batchWrites<T>(
  write: (items: readonly T[]) => Promise<unknown>,
  { delayMs }: { delayMs: number },
): (item: T) => Promise<void> {
  return createBatcher<T, void>({
    delayMs,
    maxSize: MAX_SIZE,
    async run(items) {
      await write(items);
      return items.map(() => undefined);
    },
  });
}
