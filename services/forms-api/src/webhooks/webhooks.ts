import {
  AppError,
  validationFailed,
  type AuditChanges,
  type AccountWebhookIn,
  type AccountWebhookPatch,
  type PageQuery,
  type WebhookFilter,
  type WebhookPayload,
} from '@svcforms/contracts';
import {
  isDuplicateKey,
  unsetting,
  type Collection,
  type Filter,
  type Update,
} from '@svcforms/document-store';
import { auditUrl, changesBetween, findPage, type Reply, type RouteRequest } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import type { Guard } from '@svcforms/outbound';
import type { PayloadRenderer } from '@svcforms/payload-formats';
import {
  type DeliveryRecord,
  type Eraser,
  formerUrlsAfter,
  formOf,
  type FormRecord,
  getsDeliveries,
  insertOnce,
  isAccountWebhook,
  ownForm,
  type WebhookRecord,
  webhookSecretContext,
} from '@svcforms/records';
import { generateWebhookSecret, type SecretBox } from '@svcforms/signing';
import { headerChanges, sealHeaders, updateHeaders } from './headers.ts';
import { newSigningKey, updateSigningKey } from './signing-key.ts';
import { readPayload } from './payload-setting.ts';
import { secretLast4 } from './secret-last4.ts';
import { createWebhooksOut } from './webhook-out.ts';

export interface WebhooksDeps {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
  deliveries: Collection<DeliveryRecord>;
  eraser: Pick<Eraser, 'webhook'>;
  secretBox: SecretBox;
  guard: Guard;
  /** Checks and renders payload settings. */
  renderer: PayloadRenderer;
  now: () => number;
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

const MAX_WEBHOOKS = 20;
/** Others may change the same webhook at the same time. More conflicts than this have another cause. */
const TRIES = 5;

/** Returns the `formId` of the webhooks in a path: of the caller's form, or the account. @throws AppError `NOT_FOUND` */
async function ownerOf(
  { forms }: Pick<WebhooksDeps, 'forms'>,
  caller: Caller,
  { formId }: WebhooksPath,
): Promise<string> {
  return formId === undefined ? caller.accountId : (await ownForm(forms, caller, formId))._id;
}

/** Returns a webhook of the caller's form or account. @throws AppError `NOT_FOUND` */
export async function ownWebhook(
  deps: Pick<WebhooksDeps, 'forms' | 'webhooks'>,
  caller: Caller,
  params: WebhookPath,
): Promise<WebhookRecord> {
  const formId = await ownerOf(deps, caller, params);
  const webhook = await deps.webhooks.findOne({ _id: params.webhookId, formId });
  if (!webhook) throw new AppError('NOT_FOUND', 'There is no such webhook');
  return webhook;
}

/** Returns the ids without repeated ones. @throws AppError `VALIDATION_FAILED` that names each id that isn't a form of the account */
async function ownForms(
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

/**
 * The webhooks of a form or of an account. docs/reference/webhooks.md#webhook-object and
 * docs/reference/webhooks.md#account-webhooks
 */
export function createWebhooks(deps: WebhooksDeps) {
  const { forms, webhooks, deliveries, eraser, secretBox, guard, renderer, now } = deps;
  const at = () => new Date(now()).toISOString();
  const webhooksOut = createWebhooksOut(deps);

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
    create: async (request: WebhooksRequest<unknown, AccountWebhookIn>): Promise<Reply> => {
      const { params, body, caller, newId, note, audit } = request;
      const formId = await ownerOf(deps, caller, params);
      const listed = body.forms ? await ownForms(forms, caller, body.forms) : undefined;
      await checkTarget(caller, body.url);
      const payload = await readPayload(renderer, caller, body.payload);
      const _id = newId('whk');
      const createdAt = at();
      const secret = body.secret || generateWebhookSecret();
      const headers = sealHeaders(secretBox, _id, body.headers);
      const webhook: WebhookRecord = {
        _id,
        accountId: caller.accountId,
        formId,
        ...(listed === undefined ? {} : { forms: listed }),
        url: body.url,
        events: body.events,
        isEnabled: body.isEnabled,
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.rateLimitPerSecond ? { rateLimitPerSecond: body.rateLimitPerSecond } : {}),
        ...(body.filter ? { filter: body.filter, filteredCount: 0 } : {}),
        ...(payload ? { payload } : {}),
        secret: secretBox.seal(secret, webhookSecretContext(_id)),
        secretLast4: secretLast4(secret),
        ...(headers && { headers }),
        ...(body.isPublicKeySigned && { signingKey: newSigningKey(secretBox, _id) }),
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
      note({ event: 'webhook.created', formId: formOf(stored), webhookId: _id });
      const names = Object.keys(body.headers ?? {});
      const signed = body.isPublicKeySigned && { isPublicKeySigned: { to: true } };
      audit({ changes: { ...webhookChanges({}, stored), ...headerChanges([], names), ...signed } });
      const [out] = await webhooksOut([stored]);
      const path = params.formId === undefined ? '/api/webhooks' : `/api/forms/${formId}/webhooks`;
      return {
        data: { ...out, secret: secretBox.open(stored.secret, webhookSecretContext(_id)) },
        headers: { Location: `${path}/${_id}` },
      };
    },

    list: async ({ params, query, caller }: WebhooksRequest<PageQuery>): Promise<Reply> => {
      const formId = await ownerOf(deps, caller, params);
      const { items, pagination } = await findPage(webhooks, { formId }, { prefix: 'whk', ...query });
      return { data: await webhooksOut(items), pagination };
    },

    get: async ({ params, caller }: WebhookRequest): Promise<Reply> => {
      const [data] = await webhooksOut([await ownWebhook(deps, caller, params)]);
      return { data };
    },

    change: async (request: WebhookRequest<AccountWebhookPatch>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      let webhook = await ownWebhook(deps, caller, params);
      const { headers, isPublicKeySigned, forms: listed } = body;
      const ownListed = listed ? await ownForms(forms, caller, listed) : undefined;
      if (body.url !== undefined) await checkTarget(caller, body.url);
      const payload = await readPayload(renderer, caller, body.payload);
      for (let tries = 0; tries < TRIES; tries++) {
        const ofHeaders = updateHeaders(secretBox, webhook, headers);
        const ofKey = updateSigningKey(secretBox, webhook, isPublicKeySigned);
        const ofUrl = updateUrl(webhook, body.url, at());
        const changed = await webhooks.findOneAndUpdate(
          { _id: webhook._id, ...ofHeaders.unchanged, ...ofKey.unchanged, ...ofUrl.unchanged },
          updateFor(webhook, body, {
            listed: ownListed,
            payload,
            parts: [ofHeaders, ofKey, ofUrl, updateFilter(webhook, body.filter)],
            at: at(),
          }),
          { returning: 'after' },
        );
        if (changed) {
          if (startsOver(webhook, body) && webhook.pausedUntil !== undefined)
            await endPause(webhook._id, webhook.pausedUntil);
          note({ event: 'webhook.changed', formId: formOf(webhook), webhookId: webhook._id });
          audit({ changes: { ...webhookChanges(webhook, changed), ...ofHeaders.changes, ...ofKey.changes } });
          const [data] = await webhooksOut([changed]);
          return { data };
        }
        webhook = await ownWebhook(deps, caller, params);
      }
      throw new AppError('CONFLICT', 'Others are changing this webhook. Try again.');
    },

    remove: async ({ params, caller, note }: WebhookRequest): Promise<Reply> => {
      const webhook = await ownWebhook(deps, caller, params);
      await eraser.webhook(webhook);
      note({ event: 'webhook.deleted', formId: formOf(webhook), webhookId: webhook._id });
      return {};
    },
  };
}

/** What changes with one property of a patch. */
interface UpdatePart {
  set: Partial<WebhookRecord>;
  unset: readonly string[];
}

/**
 * The update for a patch: null removes a field. `listed`: its forms, without repeated ones; `payload`: as it is stored; `parts`: of the properties that
 * aren't stored as they are sent.
 */
function updateFor(
  webhook: WebhookRecord,
  patch: AccountWebhookPatch,
  {
    listed,
    payload,
    parts,
    at,
  }: {
    listed: string[] | undefined;
    payload: WebhookPayload | null | undefined;
    parts: readonly UpdatePart[];
    at: string;
  },
): Update<WebhookRecord> {
  const { isEnabled, forms, headers: _, isPublicKeySigned: __, filter: ___, ...rest } = patch;
  const plain = Object.entries({ ...rest, forms: listed ?? forms, payload });
  const isReset = startsOver(webhook, patch);
  const namesOfNull = plain.filter(([, value]) => value === null).map(([name]) => name);
  return {
    $set: {
      ...Object.fromEntries(plain.filter(([, value]) => value !== null && value !== undefined)),
      ...Object.assign({}, ...parts.map(({ set }) => set)),
      ...(isEnabled === undefined ? {} : enabledState(webhook, isEnabled, at)),
      ...(isReset ? HEALTHY : {}),
      updatedAt: at,
    },
    ...unsetting([...namesOfNull, ...parts.flatMap((part) => part.unset), ...(isReset ? FAILURE_STATE : [])]),
  };
}

/** Changes for the audit log, with only the host of the URL: its path and query are often credentials. */
function webhookChanges(before: Partial<WebhookRecord>, after: WebhookRecord): AuditChanges {
  const { url, ...rest } = changesBetween(before, after, {
    names: ['events', 'forms', 'isEnabled', 'description', 'rateLimitPerSecond'],
    // Values to compare with may be personal data, and templates may contain credentials.
    hidden: ['url', 'filter', 'payload'],
  });
  const hosts = {
    ...(before.url === undefined ? {} : { from: auditUrl(before.url) }),
    to: auditUrl(after.url),
  };
  return { ...rest, ...(url && { url: hosts }) };
}

/** Another URL keeps the one before, which may have got data. `unchanged` matches while nobody else has replaced it. */
function updateUrl(
  webhook: WebhookRecord,
  url: string | undefined,
  at: string,
): UpdatePart & { unchanged: Filter<WebhookRecord> } {
  if (url === undefined || url === webhook.url) return { unchanged: {}, set: {}, unset: [] };
  return { unchanged: { url: webhook.url }, set: { formerUrls: formerUrlsAfter(webhook, at) }, unset: [] };
}

/** A filter that is saved again as it was keeps its count. */
function updateFilter(
  { filter: before }: WebhookRecord,
  filter: WebhookFilter | null | undefined,
): UpdatePart {
  if (filter === undefined || JSON.stringify(filter) === JSON.stringify(before ?? null))
    return { set: {}, unset: [] };
  return filter === null
    ? { set: {}, unset: ['filter', 'filteredCount', 'lastFilteredAt'] }
    : { set: { filter, filteredCount: 0 }, unset: ['lastFilteredAt'] };
}

/** Fields that a webhook has only while it fails. */
const FAILURE_STATE = ['givenUpAt', 'warnedAt', 'pausedUntil'];
const HEALTHY = { failingSince: null, consecutiveFailures: 0 };

/**
 * Inserts a webhook in one of the slots of its form or account (the stored field is `place`). Slots have a unique key, because a
 * count before an insert can be outdated after it.
 * @throws AppError `CONFLICT` when no slot is free
 */
async function insertInSlot(
  webhooks: Collection<WebhookRecord>,
  webhook: WebhookRecord,
): Promise<WebhookRecord> {
  for (;;) {
    const others = await webhooks.find({ formId: webhook.formId, _id: { $ne: webhook._id } });
    const taken = new Set(others.map(({ place }) => place));
    const free = Array.from({ length: MAX_WEBHOOKS }, (_, n) => `${webhook.formId}|${n}`).filter(
      (place) => !taken.has(place),
    );
    if (others.length >= MAX_WEBHOOKS || free.length === 0) {
      const owner = isAccountWebhook(webhook) ? 'An account' : 'A form';
      const kind = isAccountWebhook(webhook) ? 'account webhooks' : 'webhooks';
      throw new AppError('CONFLICT', `${owner} can have ${MAX_WEBHOOKS} ${kind}. Delete one first.`);
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

/**
 * Whether a patch clears the failure state: it enables the webhook, or gives an enabled one another URL, about which the failures
 * and the pause of the one before say nothing.
 */
function startsOver(webhook: WebhookRecord, { isEnabled, url = webhook.url }: AccountWebhookPatch): boolean {
  return isEnabled ?? (webhook.isEnabled && url !== webhook.url);
}

/** Disabling a webhook that gets no deliveries keeps its reason. One that failures have disabled still gets some. */
function enabledState(webhook: WebhookRecord, isEnabled: boolean, at: string): Update<WebhookRecord>['$set'] {
  if (isEnabled) return { isEnabled, disabledReason: null, disabledAt: null };
  return getsDeliveries(webhook) ? { isEnabled, disabledReason: 'manual', disabledAt: at } : {};
}
