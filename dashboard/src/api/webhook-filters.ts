import type { AccountFilterPreviewIn, FilterPreviewOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

/** New events appear in the preview. */
const EVERY_MS = 10_000;

/** What a filter does with recent events of a form or, without a form, of the account. */
export const filterPreviewQuery = (formId: string | undefined, body: Partial<AccountFilterPreviewIn>) =>
  queryOptions({
    queryKey: ['webhooks', 'filter-preview', formId ?? 'account', body],
    queryFn: ({ signal }) =>
      request<FilterPreviewOut>('POST', `${pathOf(formId)}/filter/preview`, {
        body,
        signal,
        isReading: true,
      }),
    refetchInterval: EVERY_MS,
  });

const pathOf = (formId: string | undefined) =>
  formId === undefined ? '/api/webhooks' : `/api/forms/${formId}/webhooks`;
