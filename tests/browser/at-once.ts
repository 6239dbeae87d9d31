/** Four pages keep two processors busy; more would only slow each other down. */
const CONCURRENCY = 4;

/** Runs every case, several in parallel, and returns the results in order. */
export async function atOnce<C, R>(cases: readonly C[], run: (item: C) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...cases.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}
