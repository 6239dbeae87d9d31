import { sendInbound, type Client, type WebhookEndpoint, type OpenedInbound } from '@svcforms/test-kit';
import { eventOf } from './event.ts';

/** The number of submissions per measurement. */
export const MEASURED = 200;
const EVERY_MS = 40;
const VALUES = { email: 'ada@example.com' };

/** Sends 200 submissions at a steady rate of 25 per second and returns their number. */
export async function sendSteadily(client: Client, inbound: OpenedInbound): Promise<number> {
  const sending: Promise<unknown>[] = [];
  for (let n = 0; n < MEASURED; n++) {
    sending.push(sendInbound(client, inbound, VALUES));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  await Promise.all(sending);
  return MEASURED;
}

/**
 * Returns the 99th percentile, in ms, from the acceptance of a submission to the last byte at the
 * endpoint.
 */
export function p99Of(received: WebhookEndpoint['requests']): number {
  const durations = received.map((request) => request.receivedAt - Date.parse(eventOf(request).timestamp));
  return durations.sort((a, b) => a - b)[Math.ceil(durations.length * 0.99) - 1] ?? Infinity;
}
