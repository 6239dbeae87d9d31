/**
 * The delay before a rejected batch is delivered again, and before its consumer handles the next
 * one.
 */
export const RETRY_PAUSE_MS = 1_000;

/** A consumer with this many unacknowledged batches, or this size of them, takes no more. */
const MAX_UNACKED_BATCHES = 64;
const MAX_UNACKED_BYTES = 32 * 1024 ** 2;

/** The batches of one consumer whose handler has returned and that aren't acknowledged yet. */
export function createUnackedBatches() {
  const open = new Set<Promise<void>>();
  let openBytes = 0;
  return {
    /** `acknowledging` never rejects. Resolves when there is room for the next batch. */
    async add(acknowledging: Promise<void>, bytes: number): Promise<void> {
      open.add(acknowledging);
      openBytes += bytes;
      void acknowledging.then(() => {
        open.delete(acknowledging);
        openBytes -= bytes;
      });
      while (open.size >= MAX_UNACKED_BATCHES || openBytes >= MAX_UNACKED_BYTES) await Promise.race(open);
    },
    /** Resolves when all batches are acknowledged or rejected. */
    async drain(): Promise<void> {
      await Promise.all(open);
    },
  };
}
