type Ending = () => unknown;

const endings = new Set<Ending>();

/**
 * Registers `end`, which is called once when the test file has ended, also after a failure; the
 * last registered one comes first. Returns a function that removes it again, for what ends earlier.
 */
export function atEnd(end: Ending): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}

/** Ends everything that is registered. Tools call it, which run without jest. */
export async function endAll(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of [...endings].toReversed()) {
    endings.delete(end);
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'something that was started could not be ended');
}

if (typeof afterAll === 'function') afterAll(endAll, 60_000);
