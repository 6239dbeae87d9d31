/** The default timeout of tests; set `SVC_TEST_TIMEOUT_MS` on slow machines. */
export const TEST_TIMEOUT_MS = Number(process.env['SVC_TEST_TIMEOUT_MS'] ?? 20_000);

/**
 * Calls `probe` until it returns a value other than `null`, `undefined` or `false`, and returns
 * that value.
 * @throws Error with `what` after the timeout. An error thrown by `probe` is not retried.
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
    if (performance.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
