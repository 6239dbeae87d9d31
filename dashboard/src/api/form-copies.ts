import type { FormIn, FormOut, FormTemplate, WebhookOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) =>
    (await requestPage<FormTemplate>('/api/templates', { query: { limit: 100 }, signal })).data,
  staleTime: Infinity,
});

/** Creates a form that isn't published yet. */
export const createDraft = (body: FormIn) => request<FormOut>('POST', '/api/forms?draft=true', { body });
/** Creates a draft from an exported form. */
export const importForm = (template: unknown) =>
  request<FormOut>('POST', '/api/forms/import?draft=true', { body: template });
export const exportForm = (formId: string) => request<FormTemplate>('GET', `/api/forms/${formId}/export`);
export const deleteForm = (formId: string) => request<void>('DELETE', `/api/forms/${formId}`);
/** Creates a draft that is a copy of the form. */
export const duplicateForm = (formId: string) =>
  request<FormOut>('POST', `/api/forms/${formId}/duplicate?draft=true`, { body: {} });

/** The number of webhooks that a deletion of the form also deletes, at most 20. */
export const countWebhooks = async (formId: string): Promise<number> =>
  (await requestPage<WebhookOut>(`/api/forms/${formId}/webhooks`, { query: { limit: 100 } })).data.length;
