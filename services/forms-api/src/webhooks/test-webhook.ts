import {
  AppError,
  evaluateFilter,
  newId,
  type AccountWebhookTestIn,
  type WebhookTestOut,
} from '@svcforms/contracts';
import type { Reply } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import { isClientClosed, isSuccess, type GuardedClient, type PostResult } from '@svcforms/outbound';
import {
  formOf,
  readHeadersText,
  validSecrets,
  webhookSecretContext,
  type FormRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { readSigningKey, webhookHeaders } from '@svcforms/signing';
import { sampleEvent } from './sample-event.ts';
import { ownWebhook, type WebhookRequest, type WebhooksDeps } from './webhooks.ts';

export interface TestWebhookDeps extends WebhooksDeps {
  client: Pick<GuardedClient, 'post'>;
  /** The timeout of the request, as of a delivery. */
  deliveryTimeoutMs: number;
  /** The origin of links in sample events. */
  baseUrl: string;
}

/**
 * Sends a signed test event to a webhook immediately, even to a disabled one. It isn't stored and counts neither as a failure
 * nor as a success. docs/reference/webhooks.md#test-events
 */
export function createTestWebhook(deps: TestWebhookDeps) {
  const { forms, client, secretBox, deliveryTimeoutMs, baseUrl, now } = deps;

  /** The form of the sample. For an account webhook, the newest form whose events it gets; a made-up one if there is none. */
  async function sampleForm(
    { accountId }: Caller,
    webhook: WebhookRecord,
  ): Promise<Pick<FormRecord, '_id' | 'fields'>> {
    const ofForm = formOf(webhook);
    const listed = ofForm === undefined ? webhook.forms : [ofForm];
    const [form] = await forms.find(
      { accountId, deletedAt: null, ...(listed === undefined ? {} : { _id: { $in: listed } }) },
      { sort: ['-createdAt', '-_id'], limit: 1 },
    );
    return form ?? { _id: newId('frm'), fields: [{ name: 'email', type: 'email' }] };
  }

  async function post(request: Parameters<GuardedClient['post']>[0]): Promise<PostResult> {
    try {
      return await client.post(request);
    } catch (error) {
      if (!isClientClosed(error)) throw error;
      throw new AppError('UNAVAILABLE', 'The service is stopping. Try again.', { cause: error });
    }
  }

  return async function testWebhook({
    params,
    body: { eventType },
    caller,
    trace,
    note,
  }: WebhookRequest<AccountWebhookTestIn>): Promise<Reply> {
    const webhook = await ownWebhook(deps, caller, params);
    const form = await sampleForm(caller, webhook);
    const type = eventType ?? webhook.events[0] ?? 'form.submission.new';
    const context = webhookSecretContext(webhook._id);
    const secrets = validSecrets(webhook, now()).map((sealed) => secretBox.open(sealed, context));
    const custom = webhook.headers && readHeadersText(secretBox.open(webhook.headers.sealed, context));
    const privateKey = webhook.signingKey && secretBox.open(webhook.signingKey.privateKey, context);
    const signingKey = privateKey === undefined ? undefined : readSigningKey(privateKey);
    const sample = sampleEvent(type, form, { now: now(), origin: baseUrl });
    const body = Buffer.from(sample.body);
    const exchange = await post({
      url: webhook.url,
      headers: {
        ...webhookHeaders({ secrets, signingKey, id: newId('evt'), now: now(), body, hops: 0 }),
        'Svc-Delivery-Id': newId('del'),
        ...(sample.taskId === undefined ? {} : { 'Svc-Task-Id': sample.taskId }),
        'Svc-Test': 'true',
        ...custom,
      },
      body,
      accountId: webhook.accountId,
      timeoutMs: deliveryTimeoutMs,
      span: { parent: trace, attributes: { 'svcforms.webhook.id': webhook._id } },
    });
    const data = { ...testOut(exchange), ...filterVerdict(webhook, sample.body) };
    note({ event: 'webhook.tested', formId: formOf(webhook), webhookId: webhook._id, ...data });
    return { data };
  };
}

function testOut(exchange: PostResult): WebhookTestOut {
  const { durationMs } = exchange;
  if ('error' in exchange) return { delivered: false, status: null, durationMs, error: exchange.error };
  const { status } = exchange;
  const delivered = isSuccess(exchange);
  return { delivered, status, durationMs, ...(delivered ? {} : { error: 'status' }) };
}

/** A test shows whether requests arrive, so a filter doesn't keep it back. */
function filterVerdict({ filter }: WebhookRecord, body: string): Pick<WebhookTestOut, 'passesFilter'> {
  return filter ? { passesFilter: evaluateFilter(filter, JSON.parse(body)).passes } : {};
}
