type Cleanup = () => unknown;

const cleanups = new Set<Cleanup>();

/**
 * Has `end` called once when the test file has ended, also after a failure; the last that was registered comes first.
 * Returns a function that takes it off the list again, for what ends earlier.
 */
export function atEnd(cleanup: Cleanup): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}

afterAll(async () => {
  const failures: unknown[] = [];
  for (const cleanup of [...cleanups].toReversed()) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  cleanups.clear();
  if (failures.length > 0) throw new AggregateError(failures, 'what a test started could not be ended');
}, 60_000);
