import type { Exchange, PostRequest } from './exchange.ts';
import { isClientClosed } from './failure.ts';
import type { GuardedClient } from './guarded-client.ts';

/** What came of an attempt. `not_sent`: the fault is ours, such as a secret that no key in the list opens. */
export type AttemptResult = Exchange | { error: 'not_sent'; message: string; durationMs: number };

/**
 * Makes a request and POSTs it, once. Rejects only when the client was closed under it, which says nothing about the listener;
 * what `make` throws is in the result.
 */
export async function postOnce(
  client: Pick<GuardedClient, 'post'>,
  make: () => PostRequest,
): Promise<AttemptResult> {
  try {
    return await client.post(make());
  } catch (error) {
    if (isClientClosed(error)) throw error;
    return { error: 'not_sent', message: (error as Error).message, durationMs: 0 };
  }
}

/** The listener has taken it: 2xx alone is a success. spec: webhooks-tasks-inbound, Errors and Limits 3 */
export function isSuccess(result: AttemptResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300;
}
