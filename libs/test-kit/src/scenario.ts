import type { FormOut, InboundCreatedOut, WebhookCreatedOut, WebhookEventType } from '@svcforms/contracts';
import { randomBytes } from 'node:crypto';
import type { ApiResponse, Client } from './client.ts';

/** Generates an API key in the format of `SVC_BOOTSTRAP_API_KEY`. */
export function newApiKey(): string {
  return `svc_key_${randomBytes(32).toString('base64url')}`;
}

/**
 * Settings of a product under test: the key of the first account, and this machine as an allowed
 * webhook target.
 */
export function testSettings(options: {
  apiKey: string;
  /** Without it, webhook endpoints use plain HTTP. */
  caFile?: string;
  /** The address range of the webhook endpoints. */
  targets?: string;
}): Record<string, string> {
  const { apiKey, caFile, targets = '127.0.0.0/8' } = options;
  return {
    SVC_BOOTSTRAP_EMAIL: 'owner@example.com',
    SVC_BOOTSTRAP_PASSWORD: 'owner password',
    SVC_BOOTSTRAP_API_KEY: apiKey,
    SVC_ALLOWED_TARGETS: targets,
    ...(caFile === undefined ? { SVC_ALLOW_HTTP: 'true' } : { SVC_TARGET_CA: caFile }),
    SVC_RATE_LIMIT_KEY: '0',
    SVC_RATE_LIMIT_INBOUND: '0',
    SVC_RATE_LIMIT_PUBLIC: '0',
  };
}

/** The request body of a small form. */
export function contactForm(overrides: object = {}) {
  return {
    name: 'Contact',
    fields: [
      { name: 'email', type: 'email', required: true },
      { name: 'message', type: 'textarea' },
    ],
    ...overrides,
  };
}

export async function createForm(client: Client, overrides?: object): Promise<FormOut> {
  const { body } = await client.post<FormOut>('/api/forms', { body: contactForm(overrides), expect: 201 });
  return body.data;
}

export type OpenedInbound = InboundCreatedOut & { token: string };

export async function openInbound(
  client: Client,
  formId: string,
  input: object = {},
): Promise<OpenedInbound> {
  const path = `/api/forms/${formId}/inbound`;
  const { body } = await client.post<OpenedInbound>(path, { body: input, expect: 201 });
  return body.data;
}

export type AddedWebhook = WebhookCreatedOut & { secret: string };

/** Creates a webhook for `form.submission.new` unless `events` is set. */
export async function addWebhook(
  client: Client,
  formId: string,
  input: {
    url: string;
    events?: readonly WebhookEventType[];
    secret?: string;
    isEnabled?: boolean;
    payload?: object;
  },
): Promise<AddedWebhook> {
  const path = `/api/forms/${formId}/webhooks`;
  const body = { events: ['form.submission.new'], ...input };
  const response = await client.post<AddedWebhook>(path, { body, expect: 201 });
  return response.body.data;
}

/**
 * POSTs field values to the inbound endpoint of a form. Throws unless the status is 202 or
 * `expect`.
 */
export function sendInbound(
  client: Client,
  inbound: Pick<OpenedInbound, 'formId' | 'token'>,
  data: object,
  { headers = {}, expect = 202 }: { headers?: Record<string, string>; expect?: number } = {},
): Promise<ApiResponse<{ submissionId: string }>> {
  return client.post(`/api/inbound/${inbound.formId}`, {
    body: data,
    headers: { authorization: `Bearer ${inbound.token}`, ...headers },
    expect,
  });
}

/** Creates a form with an inbound endpoint and a webhook to `url`. */
export async function createFormWithWebhook(
  client: Client,
  url: string,
  input: { form?: object; inbound?: object; events?: readonly WebhookEventType[]; secret?: string } = {},
): Promise<{ form: FormOut; inbound: OpenedInbound; webhook: AddedWebhook }> {
  const { form: overrides, inbound: endpoint, ...webhookInput } = input;
  const form = await createForm(client, overrides);
  const inbound = await openInbound(client, form.id, endpoint);
  const webhook = await addWebhook(client, form.id, { url, ...webhookInput });
  return { form, inbound, webhook };
}
