import {
  AppError,
  evaluateFilter,
  newId,
  type AccountWebhookTestIn,
  type EventType,
  type PayloadError,
  type WebhookTestOut,
} from '@svcforms/contracts';
import type { Reply } from '@svcforms/http';
import {
  isClientClosed,
  isSuccess,
  postOnce,
  type AttemptResult,
  type GuardedClient,
} from '@svcforms/outbound';
import { locatedMessage, type PayloadEvent, type Rendering } from '@svcforms/payload-formats';
import { isoTime } from '@svcforms/primitives';
import {
  deliveryExpiry,
  deliveryHeaders,
  formOf,
  isAccountWebhook,
  readHeadersText,
  validSecrets,
  webhookSecretContext,
  type DeliveryAttempt,
  type WebhookRecord,
} from '@svcforms/records';
import { readSigningKey, webhookHeaders } from '@svcforms/signing';
import { ownWebhook, type WebhookRequest } from './own-webhook.ts';
import { sampleEvent } from './sample-event.ts';
import { findSampleForm, type SampleForm } from './sample-form.ts';
import type { WebhooksDeps } from './webhooks.ts';

export interface TestWebhookDeps extends Omit<WebhooksDeps, 'eraser' | 'guard'> {
  client: Pick<GuardedClient, 'post'>;
  /** The timeout of the request, as of a delivery. */
  deliveryTimeoutMs: number;
  /** The origin of links in sample events. */
  baseUrl: string;
}

/**
 * Sends a signed test event to a webhook immediately, even to a disabled one. It is stored beside
 * the deliveries, and counts neither as a failure nor as a success.
 * docs/reference/webhooks.md#test-events
 */
export function createTestWebhook(deps: TestWebhookDeps) {
  const { forms, deliveries, client, renderer, secretBox, deliveryTimeoutMs, baseUrl, now } = deps;

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

  /** The sample has ids of a submission and a task that don't exist, so the record has none. */
  async function storeTest(
    webhook: WebhookRecord,
    event: { id: string; type: EventType; deliveryId: string; formId: string; body: string },
    { startedAt, attempt }: { startedAt: number; attempt: Omit<DeliveryAttempt, 'at'> },
  ): Promise<void> {
    const at = isoTime(startedAt);
    await deliveries.insertOne({
      _id: event.deliveryId,
      accountId: webhook.accountId,
      formId: event.formId,
      webhookId: webhook._id,
      ...(isAccountWebhook(webhook) ? { ofAccount: true as const } : {}),
      eventId: event.id,
      eventType: event.type,
      body: event.body,
      status: attempt.error === undefined ? 'test-delivered' : 'test-failed',
      attempts: [{ at, ...attempt }],
      createdAt: at,
      expireAt: deliveryExpiry(startedAt),
    });
  }

  /** @throws SecretBoxError when no encryption key opens what is stored. */
  function signersOf(webhook: WebhookRecord) {
    const context = webhookSecretContext(webhook._id);
    const privateKey = webhook.signingKey && secretBox.open(webhook.signingKey.privateKey, context);
    return {
      secrets: validSecrets(webhook, now()).map((sealed) => secretBox.open(sealed, context)),
      signingKey: privateKey === undefined ? undefined : readSigningKey(privateKey),
    };
  }

  /** @throws SecretBoxError when no encryption key opens what is stored. */
  function headersOf({ _id, headers }: WebhookRecord) {
    return headers && readHeadersText(secretBox.open(headers.sealed, webhookSecretContext(_id)));
  }

  async function post(build: Parameters<typeof postOnce>[1]): Promise<AttemptResult> {
    try {
      return await postOnce(client, build);
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
    const form = await findSampleForm(forms, caller, { formId: ofForm, listed: webhook.forms });
    const type = eventType ?? webhook.events[0] ?? 'form.submission.new';
    const sample = sampleEvent(type, form, { now: now(), origin: baseUrl });
    const ids = { id: newId('evt'), deliveryId: newId('del') };
    const rendered = await bodyFor(webhook, { ...ids, type, ...sample }, form);
    const startedAt = now();
    const record = (attempt: Omit<DeliveryAttempt, 'at'>) =>
      storeTest(webhook, { ...ids, type, formId: form._id, body: sample.body }, { startedAt, attempt });
    if (rendered.error) {
      const attempt = notRendered(rendered.error);
      await record({ ...attempt, responseBody: '' });
      note({ event: 'webhook.tested', formId: ofForm, webhookId: webhook._id, error: attempt.error });
      const data = { deliveryId: ids.deliveryId, delivered: false, status: null, ...attempt };
      return { data: { ...data, ...filterVerdict(webhook, sample.body) } };
    }
    const body = Buffer.from(rendered.body);
    const exchange = await post(() => ({
      url: webhook.url,
      headers: {
        ...webhookHeaders({ ...signersOf(webhook), id: ids.id, now: now(), body, hops: 0 }),
        ...deliveryHeaders({ deliveryId: ids.deliveryId, taskId: sample.taskId, isTest: true }),
        ...headersOf(webhook),
      },
      body,
      accountId: webhook.accountId,
      timeoutMs: deliveryTimeoutMs,
      span: { parent: trace, attributes: { 'svcforms.webhook.id': webhook._id } },
    }));
    const { delivered, ...attempt } = testOut(exchange);
    await record({ ...attempt, responseBody: 'status' in exchange ? exchange.body : '' });
    const data: WebhookTestOut = {
      deliveryId: ids.deliveryId,
      delivered,
      status: null,
      ...attempt,
      ...filterVerdict(webhook, sample.body),
    };
    const reason = 'message' in exchange ? { reason: exchange.message } : {};
    note({ event: 'webhook.tested', formId: ofForm, webhookId: webhook._id, ...data, ...reason });
    return { data };
  };
}

/** Nothing was sent. docs/reference/webhooks.md#template-errors */
function notRendered(error: PayloadError) {
  return { durationMs: 0, error: 'template', message: locatedMessage(error) };
}

function testOut(exchange: AttemptResult) {
  const { durationMs } = exchange;
  if ('error' in exchange) return { delivered: false, durationMs, error: exchange.error };
  const { status } = exchange;
  const delivered = isSuccess(exchange);
  return { delivered, status, durationMs, ...(delivered ? {} : { error: 'status' }) };
}

/** A test shows whether requests arrive, so a filter doesn't exclude it. */
function filterVerdict({ filter }: WebhookRecord, body: string): Pick<WebhookTestOut, 'passesFilter'> {
  return filter ? { passesFilter: evaluateFilter(filter, JSON.parse(body)).passes } : {};
}
