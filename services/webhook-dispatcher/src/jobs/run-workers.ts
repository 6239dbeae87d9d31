/**
 * Runs `work` this many times at once and waits for all of them, even after one has failed: while a
 * worker still has a result to store, the next run of the job must not claim its work again.
 * Rejects with the first error.
 */
export async function runWorkers(count: number, work: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: count }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
