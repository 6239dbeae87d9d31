import type { AccountPayloadPreviewIn, DeliveryOut, PayloadPreviewOut } from '@svcforms/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';
import { listPath, webhookListQuery, type Webhook } from './webhooks.ts';

const RECENT = 20;

/**
 * What a webhook with this setting would send. Keeps the last result while the next one is
 * rendered.
 */
export const payloadPreviewQuery = (formId: string | undefined, body: AccountPayloadPreviewIn) =>
  queryOptions({
    queryKey: ['payload-preview', formId ?? 'account', body],
    queryFn: ({ signal }) =>
      request<PayloadPreviewOut>('POST', `${listPath(formId)}/payload/preview`, {
        body,
        signal,
        isReading: true,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

/**
 * The newest deliveries of a webhook, or, for one that isn't saved yet, of another webhook of the
 * form or account, whose events are the same.
 */
export const recentEventsQuery = (formId: string | undefined, webhook: Webhook | null) =>
  queryOptions({
    queryKey: ['recent-events', formId ?? 'account', webhook?.id],
    queryFn: async ({ signal, client }) => {
      const id = webhook?.id ?? (await client.ensureQueryData(webhookListQuery(formId)))[0]?.id;
      if (id === undefined) return [];
      const path = `${listPath(formId)}/${id}/deliveries`;
      const { data } = await requestPage<DeliveryOut>(path, { query: { limit: RECENT }, signal });
      return data.filter(({ erasedAt }) => erasedAt === undefined);
    },
  });
