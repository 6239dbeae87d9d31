import { poll, readEvents, type EventReader, type ReceivedRequest } from '@svcforms/test-kit';
import type { Product } from './stack.ts';

/** Opens a stream of the account's events with the bodies that webhooks get. */
export const openWebhookStream = ({ baseUrl, apiKey }: Product): Promise<EventReader> =>
  readEvents(`${baseUrl}/api/mcp/events/*?format=webhook`, { token: apiKey });

/**
 * Waits until the stream has the event of a request to a webhook, and compares their bodies byte
 * for byte.
 */
export async function expectSameBytes(reader: EventReader, { headers, rawBody }: ReceivedRequest) {
  const { body } = await poll(
    () =>
      reader.frames
        .map(({ data }) => JSON.parse(data) as { id: string; body: string })
        .find(({ id }) => id === headers['svc-event-id']),
    { what: `the frame of ${String(headers['svc-event-id'])}` },
  );
  expect(Buffer.from(body).equals(rawBody)).toBe(true);
}
