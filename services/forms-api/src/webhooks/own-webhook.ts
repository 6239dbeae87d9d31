import { AppError, validationFailed } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { RouteRequest } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import { type FormRecord, ownForm, type WebhookRecord } from '@svcforms/records';

interface Collections {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
}

/** The path of all webhooks of a form, or of the account if it names no form. */
interface WebhooksPath {
  formId?: string;
}

export interface WebhookPath extends WebhooksPath {
  webhookId: string;
}

export type WebhooksRequest<Q = unknown, B = unknown> = RouteRequest<Q, B, Caller, WebhooksPath>;
export type WebhookRequest<B = unknown, Q = unknown> = RouteRequest<Q, B, Caller, WebhookPath>;

/**
 * Returns the `formId` of the webhooks in a path: the id of the caller's form or account.
 * @throws AppError `NOT_FOUND`
 */
export async function scopeIdOf(
  { forms }: Pick<Collections, 'forms'>,
  caller: Caller,
  { formId }: WebhooksPath,
): Promise<string> {
  return formId === undefined ? caller.accountId : (await ownForm(forms, caller, formId))._id;
}

/** Returns a webhook of the caller's form or account. @throws AppError `NOT_FOUND` */
export async function ownWebhook(
  deps: Collections,
  caller: Caller,
  params: WebhookPath,
): Promise<WebhookRecord> {
  const formId = await scopeIdOf(deps, caller, params);
  const webhook = await deps.webhooks.findOne({ _id: params.webhookId, formId });
  if (!webhook) throw new AppError('NOT_FOUND', 'There is no such webhook');
  return webhook;
}

/**
 * Returns the ids without repeated ones.
 * @throws AppError `VALIDATION_FAILED` that names each id that isn't a form of the account
 */
export async function ownForms(
  forms: Collection<FormRecord>,
  { accountId }: Caller,
  ids: readonly string[],
): Promise<string[]> {
  const found = await forms.find({ _id: { $in: [...ids] }, accountId, deletedAt: null });
  const own = new Set(found.map(({ _id }) => _id));
  const issues = ids.flatMap((id, index) =>
    own.has(id) ? [] : [{ pointer: `/forms/${index}`, message: 'There is no such form in this account' }],
  );
  if (issues.length > 0) throw validationFailed(issues);
  return [...new Set(ids)];
}
