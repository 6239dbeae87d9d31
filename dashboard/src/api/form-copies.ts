import type { FormIn, FormOut, FormTemplate, WebhookOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call, callPage } from './client.ts';

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) =>
    (await callPage<FormTemplate>('/api/templates', { query: { limit: 100 }, signal })).data,
  staleTime: Infinity,
});

export const createForm = (body: FormIn) => call<FormOut>('POST', '/api/forms', { body });
export const importForm = (template: unknown) =>
  call<FormOut>('POST', '/api/forms/import', { body: template });
export const exportForm = (formId: string) => call<FormTemplate>('GET', `/api/forms/${formId}/export`);
export const deleteForm = (formId: string) => call<void>('DELETE', `/api/forms/${formId}`);
export const duplicateForm = (formId: string) =>
  call<FormOut>('POST', `/api/forms/${formId}/duplicate`, { body: {} });

/** How many webhooks would go with the form; there are at most twenty. */
export const countWebhooks = async (formId: string): Promise<number> =>
  (await callPage<WebhookOut>(`/api/forms/${formId}/webhooks`, { query: { limit: 100 } })).data.length;
