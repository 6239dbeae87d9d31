import type { DeliveryAttempt } from '../delivery.ts';
import type { TaskCallbackRecord } from '../task.ts';

/** An endpoint that was sent the values. */
export interface ReceivedBy {
  kind: 'webhook' | 'callback';
  /** Of the webhook, or of the task whose callback it is. */
  id: string;
  formId: string;
  url: string;
  /** When the data was last sent there. ISO 8601. */
  receivedAt: string;
}

/** Errors of attempts that ended before anything was sent; after every other one the endpoint may have the body. */
const NOTHING_SENT = ['dns', 'connect', 'tls', 'blocked_target', 'not_sent'];

/**
 * When an endpoint was last sent the body, whether it responded or not: when the attempt began, or `at` (ISO 8601) where one is
 * under way; `undefined` where it never was.
 */
export function receivedAtOf(
  { attempts }: { attempts: readonly Pick<DeliveryAttempt, 'at' | 'error'>[] },
  { isSending, at }: { isSending: boolean; at: string },
): string | undefined {
  if (isSending) return at;
  return attempts.findLast(({ error }) => error === undefined || !NOTHING_SENT.includes(error))?.at;
}

/** The same for the callback of a task. `unknown`: its process has ended while it sent it. `at`: ISO 8601. */
export function callbackReceivedAt(callback: TaskCallbackRecord, at: string): string | undefined {
  return receivedAtOf(callback, { isSending: ['sending', 'unknown'].includes(callback.state), at });
}
