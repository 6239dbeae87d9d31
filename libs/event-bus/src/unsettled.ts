/** So many batches of a consumer may be unsettled; then it waits. */
const MAX_UNSETTLED = 64;

/** The batches of one consumer that its handler is done with and that are not acknowledged yet. */
export function createUnsettledBatches() {
  const open = new Set<Promise<void>>();
  return {
    /** `acknowledging` never rejects. Resolves when there is room for the next batch. */
    async add(acknowledging: Promise<void>): Promise<void> {
      open.add(acknowledging);
      void acknowledging.then(() => open.delete(acknowledging));
      while (open.size >= MAX_UNSETTLED) await Promise.race(open);
    },
    /** Resolves when there are none. */
    async end(): Promise<void> {
      await Promise.all(open);
    },
  };
}
