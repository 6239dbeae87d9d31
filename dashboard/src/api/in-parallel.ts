/** The number of requests at the same time. */
const CONCURRENCY = 4;

/**
 * Calls `work` for each item, a few at the same time. Rejects with the first error; the other
 * calls go on with the rest, unless `stopsAtFailure`.
 */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { stopsAtFailure = false } = {},
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        if (stopsAtFailure) queue.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
