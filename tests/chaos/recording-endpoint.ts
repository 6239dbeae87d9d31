import { startWebhookEndpoint, type ReceivedRequest } from '@svcforms/test-kit';
import { setTimeout as pause } from 'node:timers/promises';

/** Two concurrent requests of one delivery. */
export interface Overlap {
  deliveryId: string;
  at: number;
}

/**
 * Starts an endpoint that responds after a short delay, rejects some requests, and records requests
 * of a delivery that already has one open.
 */
export async function startRecordingEndpoint(random: () => number) {
  const busy = new Map<string, number>();
  const overlaps: Overlap[] = [];
  const accepted: ReceivedRequest[] = [];
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
      accepted.push(request);
      return {};
    },
  });
  return {
    url: webhookEndpoint.url,
    webhookEndpoint,
    /** The requests that got a 2xx response. */
    accepted,
    overlaps,
  };
}
