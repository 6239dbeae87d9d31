/** How long a test waits at most, unless it says otherwise; slow machines set `SVC_TEST_TIMEOUT_MS`. */
export const TEST_TIMEOUT_MS = Number(process.env['SVC_TEST_TIMEOUT_MS'] ?? 20_000);

/**
 * Calls `probe` until it gives something other than `null`, `undefined` or `false`, and returns that.
 * @throws Error with `what` when the deadline has passed; an error that `probe` throws is final.
 */
export async function poll<T>(
  probe: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  options: { timeoutMs?: number; everyMs?: number; what?: string } = {},
): Promise<T> {
  const { timeoutMs = TEST_TIMEOUT_MS, everyMs = 20, what = 'the awaited state' } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
