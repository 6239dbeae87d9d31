import { webhookHeaders } from '@svcforms/signing';
import { hash } from '../hash.ts';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { reasonOf } from '../api/api-error.ts';

/** `data` of a frame with `format=webhook`. docs/reference/events.md#webhook-bodies */
export interface ForwardedEvent {
  id: string;
  type: string;
  timestamp: string;
  formId: string;
  submissionId?: string;
  taskId?: string;
  hops?: number;
  /** Absent from older servers. */
  payloadVersion?: string;
  body: string;
}

export interface Outcome {
  /** `null` without a response. */
  status: number | null;
  error: string | null;
  durationMs: number;
}

export interface Target {
  url: URL;
  secret: string;
  /** Whose deliveries these are, for their ids. */
  listenerId: string;
}

/** The default timeout of webhooks. docs/reference/webhooks.md#attempts */
const TIMEOUT_MS = 10_000;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const isSuccess = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;

/** The id that a delivery to this listener has, the same on every attempt. */
export function deliveryIdOf(eventId: string, listenerId: string): string {
  const bytes = Buffer.from(hash(`${eventId}|${listenerId}`), 'hex').subarray(0, 16);
  return `del_${eventId.slice(4, 14)}${[...bytes].map((byte) => CROCKFORD[byte & 31]).join('')}`;
}

/**
 * Sends an event as a webhook request, once, like the dispatcher.
 * docs/reference/webhooks.md#request-headers
 */
export async function forward(event: ForwardedEvent, target: Target): Promise<Outcome> {
  const { id, taskId, hops = 0, payloadVersion } = event;
  const body = Buffer.from(event.body);
  const headers = {
    ...webhookHeaders({ secrets: [target.secret], id, now: Date.now(), body, hops }),
    'Svc-Delivery-Id': deliveryIdOf(id, target.listenerId),
    ...(payloadVersion === undefined ? {} : { 'Svc-Payload-Version': payloadVersion }),
    ...(taskId === undefined ? {} : { 'Svc-Task-Id': taskId }),
  };
  const startedAt = performance.now();
  const done = (status: number | null, error: string | null): Outcome => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    return done(await post(target.url, headers, body), null);
  } catch (error) {
    const isLate = (error as Error).name === 'AbortError' || (error as Error).name === 'TimeoutError';
    return done(null, isLate ? 'timeout' : reasonOf(error));
  }
}

/** Keeps the letter case of headers, which `fetch` doesn't. */
function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<number> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(body.length) },
      // A connection of its own: a local server that restarts leaves dead ones behind.
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    } as const;
    send(url, options, (response: IncomingMessage) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    })
      .on('error', reject)
      .end(body);
  });
}
