import type { WebhookPayload } from '@svcforms/contracts';
import { locatedMessage, type PayloadRenderer } from '@svcforms/payload-formats';
import type { DeliveryRecord, FormRecord } from '@svcforms/records';

interface TemplateFailure {
  error: 'template';
  /** With the line and column. */
  message: string;
  durationMs: number;
}

export type RenderedBody = { body: string } | TemplateFailure;

/** Makes the body of a delivery from a payload setting. Rejects only when the service stops. */
export type RenderBody = (delivery: DeliveryRecord, payload: WebhookPayload) => Promise<RenderedBody>;

interface RenderBodyDeps {
  renderer: Pick<PayloadRenderer, 'render'>;
  /** Finds a form by its id, cached. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  /** The origin of links in bodies. */
  origin: string;
}

export function createRenderBody({ renderer, findForm, origin }: RenderBodyDeps): RenderBody {
  return async function renderBody(delivery, payload) {
    const startedAt = performance.now();
    const { _id: deliveryId, accountId, eventId: id, eventType: type, body } = delivery;
    const { formId, submissionId, taskId } = delivery;
    const needsForm = payload.format !== 'data';
    // Labels are worth no retry: without the form, messages show the keys.
    const form = needsForm ? await findForm(formId).catch(() => null) : null;
    const rendered = await renderer.render(payload, {
      id,
      type,
      accountId,
      formId,
      submissionId,
      taskId,
      deliveryId,
      body,
      form,
      origin,
    });
    if (rendered.error === undefined) return { body: rendered.body };
    return {
      error: 'template',
      message: locatedMessage(rendered.error),
      durationMs: Math.round(performance.now() - startedAt),
    };
  };
}
