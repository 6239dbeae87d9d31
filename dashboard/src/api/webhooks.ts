import type {
  AccountWebhookCreatedOut,
  AccountWebhookIn,
  AccountWebhookOut,
  AccountWebhookPatch,
  AccountWebhookTestIn,
  DeliveryDetailOut,
  DeliveryOut,
  DeliveryStatus,
  EventType,
  RecoverIn,
  RecoverOut,
  RotateSecretIn,
  WebhookHealthOut,
  WebhookTestOut,
} from '@svcforms/contracts';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { isApiError, isMissing, isTransient, type ApiError } from './api-error.ts';
import { request, requestPage } from './client.ts';
import type { LiveList } from './live-list.ts';
import type { ListData } from './merge-head.ts';

/** Identifies a webhook of a form or, without a form, of the account. */
export interface Webhook {
  id: string;
  formId?: string | undefined;
}

/** A webhook of a form or of the account. */
export type AnyWebhook = AccountWebhookOut & Webhook;
type AnyWebhookCreated = AccountWebhookCreatedOut & Webhook;

export interface DeliveryFilters {
  status?: DeliveryStatus | undefined;
  eventType?: EventType | undefined;
}

const PAGE_SIZE = 25;
const EVERY_MS = 4_000;
const HEALTH_REFRESH_MS = 15_000;
/** The refresh interval while a delivery is in progress. */
const IN_PROGRESS_REFRESH_MS = 1_500;

export const listPath = (formId: string | undefined) =>
  formId === undefined ? '/api/webhooks' : `/api/forms/${formId}/webhooks`;
const pathOf = ({ formId, id }: Webhook) => `${listPath(formId)}/${id}`;
const listKey = (formId: string | undefined) => ['webhooks', formId ?? 'account'] as const;
const deliveriesKey = ({ id }: Webhook) => ['deliveries', id] as const;

/** All webhooks of a form or of the account, at most 20. */
export const webhookListQuery = (formId?: string) =>
  queryOptions({
    queryKey: listKey(formId),
    queryFn: async ({ signal }) =>
      (await requestPage<AnyWebhook>(listPath(formId), { query: { limit: 100 }, signal })).data,
    refetchInterval: 10_000,
  });

/** Refreshes, because failures can disable a webhook. */
export const webhookQuery = (webhook: Webhook) =>
  queryOptions({
    queryKey: [...listKey(webhook.formId), webhook.id],
    queryFn: ({ signal }) => request<AnyWebhook>('GET', pathOf(webhook), { signal }),
    meta: { showsMissing: true },
    refetchInterval: ({ state }) => (isMissing(state.error) ? false : EVERY_MS),
  });

/** The dispatchers write the counts about once a second. */
export const webhookHealthQuery = (webhook: Webhook, days: number) =>
  queryOptions({
    queryKey: ['webhook health', webhook.id, days],
    queryFn: ({ signal }) =>
      request<WebhookHealthOut>('GET', `${pathOf(webhook)}/health`, { query: { days }, signal }),
    refetchInterval: HEALTH_REFRESH_MS,
  });

/** Whether the events of a form go to this webhook, as long as it is enabled. */
export const receivesFrom = ({ formId, forms }: AnyWebhook, form: string): boolean =>
  formId === undefined ? forms === undefined || forms.includes(form) : formId === form;

export const createWebhook = (formId: string | undefined, body: Partial<AccountWebhookIn>) =>
  request<AnyWebhookCreated>('POST', listPath(formId), { body });
export const updateWebhook = (webhook: Webhook, body: AccountWebhookPatch) =>
  request<AnyWebhook>('PATCH', pathOf(webhook), { body });
export const deleteWebhook = (webhook: Webhook) => request<void>('DELETE', pathOf(webhook));
export const rotateSecret = (webhook: Webhook, body: RotateSecretIn) =>
  request<AnyWebhookCreated>('POST', `${pathOf(webhook)}/rotate-secret`, { body });
/** Beyond the longest delivery timeout. docs/operations.md#settings */
const LONG_TIMEOUT_MS = 150_000;
export const testWebhook = (webhook: Webhook, body: AccountWebhookTestIn) =>
  request<WebhookTestOut>('POST', `${pathOf(webhook)}/test`, { body, timeoutMs: LONG_TIMEOUT_MS });
export const recover = (webhook: Webhook, body: RecoverIn) =>
  request<RecoverOut>('POST', `${pathOf(webhook)}/recover`, {
    body,
    isReading: body.dryRun,
    // It counts or changes every failed delivery.
    timeoutMs: LONG_TIMEOUT_MS,
  });

/** The number of deliveries that a recovery would send again. */
export const recoverableQuery = (webhook: Webhook, period: Pick<RecoverIn, 'since' | 'until'>) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), 'recoverable', period],
    queryFn: async () => (await recover(webhook, { ...period, dryRun: true })).count,
  });

/** The maximum page size of the API. */
const MAX_PAGE_SIZE = 100;
/**
 * More would take too many requests. Most deliveries of a long backlog may have had no attempt yet.
 */
const MAX_PAGES = 5;
/** The refresh interval while reading all takes too many requests. */
const BACKLOG_REFRESH_MS = 15_000;

/**
 * The deliveries that failed at least once and wait for their next attempt, among the 500 newest
 * pending ones.
 */
export const pendingRetriesQuery = (webhook: Webhook) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), 'recoverable', 'pending'],
    async queryFn({ signal }) {
      const failing: DeliveryOut[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const query = { status: 'pending', limit: MAX_PAGE_SIZE, cursor };
        const page = await requestPage<DeliveryOut>(`${pathOf(webhook)}/deliveries`, { query, signal });
        failing.push(...page.data.filter(({ attempts }) => attempts.length > 0));
        cursor = page.pagination.nextCursor ?? undefined;
        if (cursor === undefined) break;
      }
      return { failing, areAll: cursor === undefined };
    },
    refetchInterval: ({ state }) => (state.data?.areAll === false ? BACKLOG_REFRESH_MS : EVERY_MS),
  });

/**
 * Sends these deliveries now, one request after the other. Goes on after one that is refused, but
 * not if the server can't respond. Returns the errors.
 */
export async function retryNow(
  webhook: Webhook,
  deliveries: readonly DeliveryOut[],
  onRetried: (delivery: DeliveryOut) => void,
): Promise<ApiError[]> {
  const errors: ApiError[] = [];
  for (const { id } of deliveries) {
    try {
      onRetried(await redeliver(webhook, id));
    } catch (error) {
      if (!isApiError(error)) throw error;
      errors.push(error);
      if (isTransient(error) || error.status === 429) break;
    }
  }
  return errors;
}

/** Reloads the state of a webhook, its newest deliveries and its number of held ones. */
export async function invalidateWebhook(queryClient: QueryClient, webhook: Webhook): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listKey(webhook.formId) }),
    queryClient.invalidateQueries({ queryKey: [...deliveriesKey(webhook), 'recoverable'] }),
    queryClient.invalidateQueries({ queryKey: ['head', ...deliveriesKey(webhook)] }),
  ]);
}

/** With test events, unless a status is chosen. */
export const deliveryList = (webhook: Webhook, filters: DeliveryFilters): LiveList<DeliveryOut> => ({
  queryKey: [...deliveriesKey(webhook), 'list', filters],
  readPage: (cursor, signal) =>
    requestPage<DeliveryOut>(`${pathOf(webhook)}/deliveries`, {
      query: { ...filters, tests: filters.status ? 'exclude' : 'include', cursor, limit: PAGE_SIZE },
      signal,
    }),
  refreshMs: EVERY_MS,
});

/** Refreshes until the delivery is delivered or failed. */
export const deliveryQuery = (webhook: Webhook, deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhook), deliveryId],
    queryFn: ({ signal }) =>
      request<DeliveryDetailOut>('GET', `${pathOf(webhook)}/deliveries/${deliveryId}`, {
        query: { include: 'request' },
        signal,
      }),
    meta: { showsMissing: true },
    refetchInterval: ({ state: { data, error } }) =>
      data && !isMissing(error) && ['pending', 'delivering'].includes(data.status)
        ? IN_PROGRESS_REFRESH_MS
        : false,
  });

export const redeliver = (webhook: Webhook, deliveryId: string) =>
  request<DeliveryOut>('POST', `${pathOf(webhook)}/deliveries/${deliveryId}/redeliver`);

/** Replaces a delivery in the cache. */
export function cacheDelivery(queryClient: QueryClient, webhook: Webhook, delivery: DeliveryOut): void {
  queryClient.setQueryData(
    deliveryQuery(webhook, delivery.id).queryKey,
    (cached) => cached && { ...cached, ...delivery },
  );
  queryClient.setQueriesData<ListData<DeliveryOut>>(
    { queryKey: [...deliveriesKey(webhook), 'list'] },
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({
          ...page,
          data: page.data.map((other) => (other.id === delivery.id ? delivery : other)),
        })),
      },
  );
}
