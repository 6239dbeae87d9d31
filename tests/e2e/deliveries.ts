import type { DeliveryOut } from '@svcforms/contracts';
import { poll, type AddedWebhook, type Client } from '@svcforms/test-kit';

export const deliveriesPath = ({ formId, id }: Pick<AddedWebhook, 'formId' | 'id'>): string =>
  `/api/forms/${formId}/webhooks/${id}/deliveries`;

/** Returns all deliveries of a webhook, newest first. */
export async function deliveriesOf(
  client: Client,
  webhook: AddedWebhook,
  query = '',
): Promise<DeliveryOut[]> {
  const deliveries: DeliveryOut[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await client.get<DeliveryOut[]>(
      `${deliveriesPath(webhook)}?limit=100${query}${cursor}`,
      {
        expect: 200,
      },
    );
    deliveries.push(...body.data);
    if (body.pagination.nextCursor === null) return deliveries;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
}

/**
 * Waits until the API has `count` deliveries of a webhook, and returns all that it has then. Among
 * many events, a delivery is stored up to 0.1 s after its endpoint got it (ADR 0083).
 */
export function storedDeliveries(
  client: Client,
  webhook: AddedWebhook,
  count: number,
): Promise<DeliveryOut[]> {
  return poll(
    async () => {
      const deliveries = await deliveriesOf(client, webhook);
      return deliveries.length >= count && deliveries;
    },
    { what: `${count} stored deliveries` },
  );
}

/** Waits until the only delivery of a webhook is delivered or failed, and returns it. */
export function finalDelivery(client: Client, webhook: AddedWebhook): Promise<DeliveryOut> {
  return poll(
    async () => {
      const [delivery] = await deliveriesOf(client, webhook);
      return delivery && ['delivered', 'failed'].includes(delivery.status) && delivery;
    },
    { what: 'the end of the delivery' },
  );
}
