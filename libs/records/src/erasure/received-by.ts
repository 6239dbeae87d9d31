import type { DeliveryAttempt } from '../collections/delivery.ts';
import type { TaskCallbackRecord } from '../collections/task.ts';

/** An endpoint that received the values. */
export interface ReceivedBy {
  kind: 'webhook' | 'callback';
  /** The id of the webhook, or of the task of the callback. */
  id: string;
  formId: string;
  url: string;
  /** When the values were last sent there. ISO 8601. */
  receivedAt: string;
}

/** Errors of attempts that ended before sending. After any other error, the endpoint may have the body. */
const NOTHING_SENT = ['dns', 'connect', 'tls', 'blocked_target', 'not_sent'];

/**
 * When the body was last sent to an endpoint, whether it responded or not: the start of the attempt, or `at` (ISO 8601) during an
 * attempt. `undefined` if the body was never sent.
 */
export function receivedAtOf(
  { attempts }: { attempts: readonly Pick<DeliveryAttempt, 'at' | 'error'>[] },
  { isSending, at }: { isSending: boolean; at: string },
): string | undefined {
  if (isSending) return at;
  return attempts.findLast(({ error }) => error === undefined || !NOTHING_SENT.includes(error))?.at;
}

/** Like {@link receivedAtOf} for the callback of a task. Its state is `unknown` if its process ended during an attempt. */
export function callbackReceivedAt(callback: TaskCallbackRecord, at: string): string | undefined {
  return receivedAtOf(callback, { isSending: ['sending', 'unknown'].includes(callback.state), at });
}
