import { isoTime } from '@svcforms/primitives';
import type { DeliveryAttempt, DeliveryRecord } from '../collections/delivery.ts';
import type { TaskCallbackRecord } from '../collections/task.ts';
import { urlsBetween, type WebhookRecord } from '../collections/webhook.ts';

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

/**
 * Errors of attempts that ended before sending. After any other error, the endpoint may have the
 * body.
 */
const NOTHING_SENT = ['dns', 'connect', 'tls', 'blocked_target', 'not_sent', 'template'];

const isSent = ({ error }: Pick<DeliveryAttempt, 'error'>) =>
  error === undefined || !NOTHING_SENT.includes(error);

/** A change of a webhook reaches every process within this time. */
const CHANGED_WITHIN_MS = 2_000;
/** The longest timeout of an attempt. */
const SENDING_MS = 120_000;

/**
 * The URLs to which a delivery was sent, whether they responded or not, each with the last time.
 * During an attempt, that is `at` (ISO 8601). If the webhook got another URL at that time, either
 * may have the body, so it has both.
 */
export function receiversOf(
  { attempts }: Pick<DeliveryRecord, 'attempts'>,
  webhook: WebhookRecord,
  { isSending, at }: { isSending: boolean; at: string },
): Pick<ReceivedBy, 'url' | 'receivedAt'>[] {
  const sends = attempts.filter(isSent).map((attempt) => ({ to: attempt.at, withinMs: CHANGED_WITHIN_MS }));
  if (isSending) sends.push({ to: at, withinMs: SENDING_MS });
  const lastByUrl = new Map<string, string>();
  for (const { to, withinMs } of sends) {
    const from = isoTime(Date.parse(to) - withinMs);
    for (const url of urlsBetween(webhook, { from, to })) lastByUrl.set(url, to);
  }
  return [...lastByUrl].map(([url, receivedAt]) => ({ url, receivedAt }));
}

/**
 * When the callback of a task was last sent, whether its endpoint responded or not; `at` (ISO 8601)
 * during an attempt. `undefined` if it never was. Its state is `unknown` if its process ended
 * during an attempt.
 */
export function callbackReceivedAt({ state, attempts }: TaskCallbackRecord, at: string): string | undefined {
  if (state === 'sending' || state === 'unknown') return at;
  return attempts.findLast(isSent)?.at;
}
