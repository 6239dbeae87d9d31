import { validationFailed, type WebhookPayload } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import { locatedMessage, type PayloadRenderer } from '@svcforms/payload-formats';

/**
 * The payload setting to store: `undefined` leaves it as it is, and `null` removes it. A template
 * is parsed first, so that a typo is found now and not by failing deliveries.
 * @throws AppError `VALIDATION_FAILED` with the line and column
 */
export async function readPayload(
  renderer: Pick<PayloadRenderer, 'check'>,
  { accountId }: Caller,
  payload: WebhookPayload | null | undefined,
): Promise<WebhookPayload | null | undefined> {
  if (!payload) return payload;
  // Stored as absent, so that the dispatcher does nothing for it.
  if (payload.format === 'envelope') return null;
  if (payload.template === undefined) return payload;
  const error = await renderer.check(payload.template, accountId);
  if (error) throw validationFailed([{ pointer: '/payload/template', message: locatedMessage(error) }]);
  return payload;
}
