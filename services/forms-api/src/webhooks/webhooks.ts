import {
  AppError,
  validationFailed,
  type AuditChanges,
  type PageQuery,
  type WebhookIn,
  type WebhookPatch,
} from '@svcforms/contracts';
import { isDuplicateKey, type Collection, type Update } from '@svcforms/document-store';
import { auditUrl, changesBetween, findPage, type PathRequest, type Reply } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import type { Guard } from '@svcforms/outbound';
import {
  insertOnce,
  webhookSecretContext,
  type DeliveryRecord,
  type FormRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { generateWebhookSecret, type SecretBox } from '@svcforms/signing';
import { ownForm } from '../forms/own-form.ts';
import { webhookOut } from './webhook-out.ts';

export interface WebhooksDeps {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
  deliveries: Collection<DeliveryRecord>;
  secretBox: SecretBox;
  guard: Guard;
  now: () => number;
}

export interface WebhookPath {
  formId: string;
  webhookId: string;
}

type WebhookRequest<B = unknown> = PathRequest<keyof WebhookPath, unknown, B>;

const MAX_WEBHOOKS_PER_FORM = 20;

/** Returns a webhook of the caller's form. @throws AppError `NOT_FOUND` */
export async function ownWebhook(
  deps: Pick<WebhooksDeps, 'forms' | 'webhooks'>,
  caller: Caller,
  params: WebhookPath,
): Promise<WebhookRecord> {
  const form = await ownForm(deps.forms, caller, params.formId);
  const webhook = await deps.webhooks.findOne({ _id: params.webhookId, formId: form._id });
  if (!webhook) throw new AppError('NOT_FOUND', 'There is no such webhook');
  return webhook;
}

/** The webhooks of a form. docs/reference/webhooks.md#webhook-object */
export function createWebhooks(deps: WebhooksDeps) {
  const { forms, webhooks, deliveries, secretBox, guard, now } = deps;
  const at = () => new Date(now()).toISOString();

  async function checkTarget({ accountId }: Caller, url: string): Promise<void> {
    const refusal = await guard.checkTarget(url, accountId);
    if (refusal) throw validationFailed([{ pointer: '/url', message: refusal.message }]);
  }

  /** Makes deliveries due that were postponed to the end of the pause. */
  async function endPause(webhookId: string, pausedUntil: string): Promise<void> {
    await deliveries.updateMany(
      { webhookId, status: 'pending', dueAt: { $exists: true, $eq: pausedUntil } },
      { $set: { dueAt: at() } },
    );
  }

  return {
    create: async ({
      params,
      body,
      caller,
      newId,
      note,
      audit,
    }: PathRequest<'formId', unknown, WebhookIn>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      await checkTarget(caller, body.url);
      const _id = newId('whk');
      const createdAt = at();
      const secret = body.secret || generateWebhookSecret();
      const webhook: WebhookRecord = {
        _id,
        accountId: caller.accountId,
        formId: form._id,
        url: body.url,
        events: body.events,
        isEnabled: body.isEnabled,
        ...(body.description === undefined ? {} : { description: body.description }),
        secret: secretBox.seal(secret, webhookSecretContext(_id)),
        secretLast4: secret.slice(-4),
        disabledReason: body.isEnabled ? null : 'manual',
        disabledAt: body.isEnabled ? null : createdAt,
        failingSince: null,
        consecutiveFailures: 0,
        lastAttemptAt: null,
        lastStatus: null,
        createdAt,
        updatedAt: createdAt,
      };
      const stored = await insertInSlot(webhooks, webhook);
      note({ event: 'webhook.created', formId: form._id, webhookId: _id });
      audit({ changes: webhookChanges({}, stored) });
      return {
        data: { ...webhookOut(stored), secret: secretBox.open(stored.secret, webhookSecretContext(_id)) },
        headers: { Location: `/api/forms/${form._id}/webhooks/${_id}` },
      };
    },

    list: async ({ params, query, caller }: PathRequest<'formId', PageQuery>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      const { items, pagination } = await findPage(
        webhooks,
        { formId: form._id },
        { prefix: 'whk', ...query },
      );
      return { data: items.map(webhookOut), pagination };
    },

    get: async ({ params, caller }: WebhookRequest): Promise<Reply> => {
      return { data: webhookOut(await ownWebhook(deps, caller, params)) };
    },

    change: async (request: WebhookRequest<WebhookPatch>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      const webhook = await ownWebhook(deps, caller, params);
      const { description, isEnabled, ...rest } = body;
      if (body.url !== undefined) await checkTarget(caller, body.url);
      const changed = await webhooks.findOneAndUpdate(
        { _id: webhook._id },
        {
          $set: {
            ...rest,
            ...(description === null ? {} : { description }),
            ...(isEnabled === undefined ? {} : enabledState(webhook, isEnabled, at())),
            updatedAt: at(),
          },
          ...unset([...(description === null ? ['description'] : []), ...(isEnabled ? FAILURE_STATE : [])]),
        },
        { returning: 'after' },
      );
      if (!changed) throw new AppError('NOT_FOUND', 'The webhook was deleted');
      if (isEnabled && webhook.pausedUntil !== undefined) await endPause(webhook._id, webhook.pausedUntil);
      note({ event: 'webhook.changed', formId: webhook.formId, webhookId: webhook._id });
      audit({ changes: webhookChanges(webhook, changed) });
      return { data: webhookOut(changed) };
    },

    remove: async ({ params, caller, note }: WebhookRequest): Promise<Reply> => {
      const webhook = await ownWebhook(deps, caller, params);
      await webhooks.deleteOne({ _id: webhook._id });
      await deliveries.deleteMany({ webhookId: webhook._id });
      note({ event: 'webhook.deleted', formId: webhook.formId, webhookId: webhook._id });
      return {};
    },
  };
}

/** Changes for the audit log, with only the host of the URL: its path and query are often credentials. */
function webhookChanges(before: Partial<WebhookRecord>, after: WebhookRecord): AuditChanges {
  const { url, ...rest } = changesBetween(before, after, {
    names: ['events', 'isEnabled', 'description'],
    hidden: ['url'],
  });
  const hosts = {
    ...(before.url === undefined ? {} : { from: auditUrl(before.url) }),
    to: auditUrl(after.url),
  };
  return { ...rest, ...(url && { url: hosts }) };
}

/** Fields that a webhook has only while it fails. */
const FAILURE_STATE = ['givenUpAt', 'warnedAt', 'pausedUntil'];

const unset = (names: readonly string[]): { $unset?: Record<string, true> } =>
  names.length > 0 ? { $unset: Object.fromEntries(names.map((name) => [name, true as const])) } : {};

/**
 * Inserts a webhook in one of the form's slots (the stored field is `place`). Slots have a unique key, because a count before an
 * insert can be outdated after it.
 * @throws AppError `CONFLICT` when no slot is free
 */
async function insertInSlot(
  webhooks: Collection<WebhookRecord>,
  webhook: WebhookRecord,
): Promise<WebhookRecord> {
  for (;;) {
    const others = await webhooks.find({ formId: webhook.formId, _id: { $ne: webhook._id } });
    const taken = new Set(others.map(({ place }) => place));
    const free = Array.from({ length: MAX_WEBHOOKS_PER_FORM }, (_, n) => `${webhook.formId}|${n}`).filter(
      (place) => !taken.has(place),
    );
    if (others.length >= MAX_WEBHOOKS_PER_FORM || free.length === 0) {
      throw new AppError('CONFLICT', `A form can have ${MAX_WEBHOOKS_PER_FORM} webhooks. Delete one first.`);
    }
    // A random slot, so that concurrent requests rarely collide.
    const place = free[Math.floor(Math.random() * free.length)];
    try {
      return await insertOnce(webhooks, { ...webhook, ...(place === undefined ? {} : { place }) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** Enabling clears the failure state. Disabling a disabled webhook keeps its reason. */
function enabledState(webhook: WebhookRecord, isEnabled: boolean, at: string): Update<WebhookRecord>['$set'] {
  if (isEnabled) {
    return { isEnabled, disabledReason: null, disabledAt: null, failingSince: null, consecutiveFailures: 0 };
  }
  return webhook.isEnabled ? { isEnabled, disabledReason: 'manual', disabledAt: at } : {};
}
