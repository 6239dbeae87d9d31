import type {
  DeliveryOut,
  DeliveryStatus,
  RecoverIn,
  RecoverOut,
  RotateSecretIn,
  WebhookCreatedOut,
  WebhookEventType,
  WebhookIn,
  WebhookOut,
  WebhookPatch,
  WebhookTestIn,
  WebhookTestOut,
} from '@svcforms/contracts';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, callPage } from './client.ts';
import type { LiveList } from './live-list.ts';
import type { ListData } from './merge-head.ts';

export type Webhook = Pick<WebhookOut, 'formId' | 'id'>;

export interface DeliveryFilters {
  status?: DeliveryStatus | undefined;
  eventType?: WebhookEventType | undefined;
}

const PAGE_SIZE = 25;
const EVERY_MS = 4_000;
/** Something is on its way. */
const SOON_MS = 1_500;

const pathOf = ({ formId, id }: Webhook) => `/api/forms/${formId}/webhooks/${id}`;
const listKey = (formId: string) => ['webhooks', formId] as const;
const deliveriesKey = ({ id }: Webhook) => ['deliveries', id] as const;

/** All of them: a form has at most 20. */
export const webhookListQuery = (formId: string) =>
  queryOptions({
    queryKey: listKey(formId),
    queryFn: async ({ signal }) =>
      (await callPage<WebhookOut>(`/api/forms/${formId}/webhooks`, { query: { limit: 100 }, signal })).data,
    refetchInterval: 10_000,
  });

/** It changes by itself: failures disable it. */
export const webhookQuery = (webhook: Webhook) =>
  queryOptions({
    queryKey: [...listKey(webhook.formId), webhook.id],
    queryFn: ({ signal }) => call<WebhookOut>('GET', pathOf(webhook), { signal }),
    refetchInterval: EVERY_MS,
  });

export const createWebhook = (formId: string, body: Partial<WebhookIn>) =>
  call<WebhookCreatedOut>('POST', `/api/forms/${formId}/webhooks`, { body });
export const changeWebhook = (webhook: Webhook, body: WebhookPatch) =>
  call<WebhookOut>('PATCH', pathOf(webhook), { body });
export const deleteWebhook = (webhook: Webhook) => call<void>('DELETE', pathOf(webhook));
export const rotateSecret = (webhook: Webhook, body: RotateSecretIn) =>
  call<WebhookCreatedOut>('POST', `${pathOf(webhook)}/rotate-secret`, { body });
export const testWebhook = (webhook: Webhook, body: WebhookTestIn) =>
  call<WebhookTestOut>('POST', `${pathOf(webhook)}/test`, { body });
export const recover = (webhook: Webhook, body: RecoverIn) =>
  call<RecoverOut>('POST', `${pathOf(webhook)}/recover`, { body });

/** How many deliveries since then a recovery would send again. */
export const recoverableQuery = (webhook: Webhook, since: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), 'recoverable', since],
    queryFn: async () => (await recover(webhook, { since, dryRun: true })).count,
  });

/** What changes in the state of a webhook, and how many it holds, is read again. */
export async function webhookChanged(queryClient: QueryClient, webhook: Webhook): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listKey(webhook.formId) }),
    queryClient.invalidateQueries({ queryKey: [...deliveriesKey(webhook), 'recoverable'] }),
    queryClient.invalidateQueries({ queryKey: ['head', ...deliveriesKey(webhook)] }),
  ]);
}

export const deliveryList = (webhook: Webhook, filters: DeliveryFilters): LiveList<DeliveryOut> => ({
  queryKey: [...deliveriesKey(webhook), 'list', filters],
  readPage: (cursor, signal) =>
    callPage<DeliveryOut>(`${pathOf(webhook)}/deliveries`, {
      query: { ...filters, cursor, limit: PAGE_SIZE },
      signal,
    }),
  everyMs: EVERY_MS,
});

/** Read again until it has come to its end. */
export const deliveryQuery = (webhook: Webhook, deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), deliveryId],
    queryFn: ({ signal }) =>
      call<DeliveryOut>('GET', `${pathOf(webhook)}/deliveries/${deliveryId}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && ['pending', 'delivering'].includes(data.status) ? SOON_MS : false,
  });

export const redeliver = (webhook: Webhook, deliveryId: string) =>
  call<DeliveryOut>('POST', `${pathOf(webhook)}/deliveries/${deliveryId}/redeliver`);

/** Puts a delivery as it is now in the place of what was read of it. */
export function rememberDelivery(queryClient: QueryClient, webhook: Webhook, delivery: DeliveryOut): void {
  queryClient.setQueryData(deliveryQuery(webhook, delivery.id).queryKey, delivery);
  queryClient.setQueriesData<ListData<DeliveryOut>>(
    { queryKey: [...deliveriesKey(webhook), 'list'] },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          data: page.data.map((other) => (other.id === delivery.id ? delivery : other)),
        })),
      },
  );
}
