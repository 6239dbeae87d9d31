type Ending = () => unknown;

const endings = new Set<Ending>();

/**
 * Has `end` called once when the test file has ended, also after a failure; the last that was registered comes first.
 * Returns a function that takes it off the list again, for what ends earlier.
 */
export function atEnd(end: Ending): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}

afterAll(async () => {
  const failures: unknown[] = [];
  for (const end of [...endings].toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  endings.clear();
  if (failures.length > 0) throw new AggregateError(failures, 'what a test started could not be ended');
}, 60_000);
