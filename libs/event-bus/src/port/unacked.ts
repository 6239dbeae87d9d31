/** The delay before a rejected batch is delivered again, and before its consumer handles the next one. */
export const RETRY_PAUSE_MS = 1_000;

/** A consumer with this many unacknowledged batches takes no more. */
const MAX_UNACKED_BATCHES = 64;

/** The batches of one consumer whose handler has returned and that aren't acknowledged yet. */
export function createUnackedBatches() {
  const open = new Set<Promise<void>>();
  return {
    /** `acknowledging` never rejects. Resolves when there is room for the next batch. */
    async add(acknowledging: Promise<void>): Promise<void> {
      open.add(acknowledging);
      void acknowledging.then(() => open.delete(acknowledging));
      while (open.size >= MAX_UNACKED_BATCHES) await Promise.race(open);
    },
    /** Resolves when all batches are acknowledged or rejected. */
    async drain(): Promise<void> {
      await Promise.all(open);
    },
  };
}
