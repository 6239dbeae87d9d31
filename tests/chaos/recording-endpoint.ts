import { startWebhookEndpoint, type ReceivedRequest } from '@svcforms/test-kit';
import { setTimeout as pause } from 'node:timers/promises';

/** One delivery that is sent twice at the same time. */
export interface Overlap {
  deliveryId: string;
  at: number;
}

/** Answers after a moment, refuses some, and records what comes while the same delivery is still being answered. */
export async function startRecordingEndpoint(random: () => number) {
  const busy = new Map<string, number>();
  const overlaps: Overlap[] = [];
  const taken: ReceivedRequest[] = [];
  const webhookEndpoint = await startWebhookEndpoint({
    async respond(request) {
      const deliveryId = String(request.headers['svc-delivery-id']);
      if (busy.has(deliveryId)) overlaps.push({ deliveryId, at: request.receivedAt });
      busy.set(deliveryId, (busy.get(deliveryId) ?? 0) + 1);
      await pause(10 + 30 * random());
      const left = (busy.get(deliveryId) ?? 1) - 1;
      if (left > 0) busy.set(deliveryId, left);
      else busy.delete(deliveryId);
      if (random() < 0.1) return { status: 503 };
      taken.push(request);
      return {};
    },
  });
  return {
    url: webhookEndpoint.url,
    webhookEndpoint,
    /** Those that were answered with success. */
    taken,
    overlaps,
  };
}
