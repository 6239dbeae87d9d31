/** So many pages keep two processors busy; more of them would only take longer each. */
const CONCURRENCY = 4;

/** Runs every case, some at once, as visitors who don't know of each other; gives what came out, in their order. */
export async function atOnce<C, R>(cases: readonly C[], run: (item: C) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...cases.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}
