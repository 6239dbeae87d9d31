import type { PostResult, PostRequest } from './send-request.ts';
import { isClientClosed } from './failure.ts';
import type { GuardedClient } from './guarded-client.ts';

/**
 * The result of an attempt. `not_sent`: the request couldn't be built, e.g. because no encryption
 * key opens a secret. `template`: the payload setting of the webhook gives no body for the event.
 */
export type AttemptResult =
  PostResult | { error: 'not_sent' | 'template'; message: string; durationMs: number };

/**
 * Builds a request and sends it, once. Errors of `build` are in the result; the promise rejects
 * only when the client is closed, which says nothing about the endpoint.
 */
export async function postOnce(
  client: Pick<GuardedClient, 'post'>,
  build: () => PostRequest,
): Promise<AttemptResult> {
  try {
    return await client.post(build());
  } catch (error) {
    if (isClientClosed(error)) throw error;
    return { error: 'not_sent', message: (error as Error).message, durationMs: 0 };
  }
}

/**
 * Whether the endpoint accepted the request, with a 2xx status. docs/reference/webhooks.md#attempts
 */
export function isSuccess(result: AttemptResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300;
}
