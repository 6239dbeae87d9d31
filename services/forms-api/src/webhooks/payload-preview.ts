import { AppError, newId, type AccountPayloadPreviewIn, type PayloadPreviewOut } from '@svcforms/contracts';
import type { Reply, RouteRequest } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import type { PayloadEvent } from '@svcforms/payload-formats';
import { ownDelivery } from './deliveries.ts';
import { eventOfDelivery } from './delivery-request.ts';
import { sampleEvent } from './sample-event.ts';
import { findSampleForm } from './sample-form.ts';
import type { TestWebhookDeps } from './test-webhook.ts';

/** Of a form, or of the account if it names none. */
type PreviewPath = { formId?: string };

/**
 * Renders a payload setting, saved or not, for the event of a delivery or for a sample event. Sends
 * and stores nothing. docs/reference/webhooks.md#preview-a-payload
 */
export function createPayloadPreview(deps: TestWebhookDeps) {
  const { forms, renderer, baseUrl, now } = deps;

  async function pastEvent(caller: Caller, { formId }: PreviewPath, id: string): Promise<PayloadEvent> {
    const delivery = await ownDelivery(deps, caller, {
      ...(formId === undefined ? {} : { formId }),
      deliveryId: id,
    });
    if (delivery.erasedAt !== undefined)
      throw new AppError('ERASED', 'The payload of the delivery was erased; choose another one');
    return eventOfDelivery(deps, delivery);
  }

  async function sample(
    caller: Caller,
    { formId }: PreviewPath,
    type: PayloadEvent['type'],
  ): Promise<PayloadEvent> {
    const form = await findSampleForm(forms, caller, { formId });
    const { body, submissionId, taskId } = sampleEvent(type, form, { now: now(), origin: baseUrl });
    const newIds = { id: newId('evt'), deliveryId: newId('del'), formId: form._id };
    return { ...newIds, type, submissionId, taskId, body, form, origin: baseUrl };
  }

  return async function previewPayload({
    params,
    body: { payload, deliveryId, eventType = 'form.submission.new' },
    caller,
  }: RouteRequest<unknown, AccountPayloadPreviewIn, Caller, PreviewPath>): Promise<Reply> {
    const event =
      deliveryId === undefined
        ? await sample(caller, params, eventType)
        : await pastEvent(caller, params, deliveryId);
    const { body, error } = await renderer.render(payload, { ...event, accountId: caller.accountId });
    const data: PayloadPreviewOut = {
      eventType: event.type,
      contentType: 'application/json',
      body: body ?? null,
      error: error ?? null,
    };
    return { data };
  };
}
