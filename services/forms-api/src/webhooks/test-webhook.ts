import {
  AppError,
  evaluateFilter,
  newId,
  PAYLOAD_VERSION,
  type AccountWebhookTestIn,
  type PayloadError,
  type WebhookTestOut,
} from '@svcforms/contracts';
import type { Reply } from '@svcforms/http';
import { isClientClosed, isSuccess, type GuardedClient, type PostResult } from '@svcforms/outbound';
import { locatedMessage, type PayloadEvent, type Rendering } from '@svcforms/payload-formats';
import {
  formOf,
  readHeadersText,
  validSecrets,
  webhookSecretContext,
  type WebhookRecord,
} from '@svcforms/records';
import { readSigningKey, webhookHeaders } from '@svcforms/signing';
import { sampleEvent } from './sample-event.ts';
import { findSampleForm, type SampleForm } from './sample-form.ts';
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
  const { forms, client, renderer, secretBox, deliveryTimeoutMs, baseUrl, now } = deps;

  async function bodyFor(
    webhook: WebhookRecord,
    sample: Pick<PayloadEvent, 'id' | 'type' | 'deliveryId' | 'body' | 'submissionId' | 'taskId'>,
    form: SampleForm,
  ): Promise<Rendering> {
    if (webhook.payload === undefined) return { body: sample.body };
    const { accountId } = webhook;
    const event = { ...sample, accountId, formId: form._id, form, origin: baseUrl };
    return renderer.render(webhook.payload, event);
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
    const ofForm = formOf(webhook);
    const form = await findSampleForm(forms, caller, ofForm === undefined ? webhook.forms : [ofForm]);
    const type = eventType ?? webhook.events[0] ?? 'form.submission.new';
    const context = webhookSecretContext(webhook._id);
    const secrets = validSecrets(webhook, now()).map((sealed) => secretBox.open(sealed, context));
    const custom = webhook.headers && readHeadersText(secretBox.open(webhook.headers.sealed, context));
    const privateKey = webhook.signingKey && secretBox.open(webhook.signingKey.privateKey, context);
    const signingKey = privateKey === undefined ? undefined : readSigningKey(privateKey);
    const sample = sampleEvent(type, form, { now: now(), origin: baseUrl });
    const ids = { id: newId('evt'), deliveryId: newId('del') };
    const rendered = await bodyFor(webhook, { ...ids, type, ...sample }, form);
    if (rendered.error) {
      const data = notRendered(rendered.error);
      note({ event: 'webhook.tested', formId: ofForm, webhookId: webhook._id, error: data.error });
      return { data };
    }
    const body = Buffer.from(rendered.body);
    const exchange = await post({
      url: webhook.url,
      headers: {
        ...webhookHeaders({ secrets, signingKey, id: ids.id, now: now(), body, hops: 0 }),
        'Svc-Delivery-Id': ids.deliveryId,
        'Svc-Payload-Version': PAYLOAD_VERSION,
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
    note({ event: 'webhook.tested', formId: ofForm, webhookId: webhook._id, ...data });
    return { data };
  };
}

/** Nothing was sent. docs/reference/webhooks.md#template-errors */
function notRendered(error: PayloadError): WebhookTestOut {
  return { delivered: false, status: null, durationMs: 0, error: 'template', message: locatedMessage(error) };
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
