import { AppError, newId, type WebhookTestIn, type WebhookTestOut } from '@svcforms/contracts';
import type { PathRequest, Reply } from '@svcforms/http';
import { isClientClosed, isSuccess, type GuardedClient, type PostResult } from '@svcforms/outbound';
import { validSecrets, webhookSecretContext } from '@svcforms/records';
import { webhookHeaders } from '@svcforms/signing';
import { ownForm } from '../forms/own-form.ts';
import { sampleEvent } from './sample-event.ts';
import { ownWebhook, type WebhooksDeps } from './webhooks.ts';

export interface TestWebhookDeps extends WebhooksDeps {
  client: Pick<GuardedClient, 'post'>;
  /** The timeout of the request, as of a delivery. */
  deliveryTimeoutMs: number;
}

/**
 * Sends a signed test event to a webhook immediately, even to a disabled one. It isn't stored and counts neither as a failure
 * nor as a success. docs/reference/webhooks.md#test-events
 */
export function createTestWebhook(deps: TestWebhookDeps) {
  const { forms, client, secretBox, deliveryTimeoutMs, now } = deps;

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
    note,
  }: PathRequest<'formId' | 'webhookId', unknown, WebhookTestIn>): Promise<Reply> {
    const form = await ownForm(forms, caller, params.formId);
    const webhook = await ownWebhook(deps, caller, params);
    const type = eventType ?? webhook.events[0] ?? 'form.submission.new';
    const context = webhookSecretContext(webhook._id);
    const secrets = validSecrets(webhook, now()).map((sealed) => secretBox.open(sealed, context));
    const sample = sampleEvent(type, form, now());
    const body = Buffer.from(sample.body);
    const exchange = await post({
      url: webhook.url,
      headers: {
        ...webhookHeaders({ secrets, id: newId('evt'), now: now(), body, hops: 0 }),
        'Svc-Delivery-Id': newId('del'),
        ...(sample.taskId === undefined ? {} : { 'Svc-Task-Id': sample.taskId }),
        'Svc-Test': 'true',
      },
      body,
      accountId: webhook.accountId,
      timeoutMs: deliveryTimeoutMs,
    });
    const data = testOut(exchange);
    note({ event: 'webhook.tested', formId: form._id, webhookId: webhook._id, ...data });
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
