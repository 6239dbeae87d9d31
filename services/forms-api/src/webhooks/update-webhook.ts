import {
  AppError,
  type AccountWebhookPatch,
  type WebhookFilter,
  type WebhookPayload,
} from '@svcforms/contracts';
import { unsetting, type Filter, type Update } from '@svcforms/document-store';
import type { Reply } from '@svcforms/http';
import { isoTime } from '@svcforms/primitives';
import { formerUrlsAfter, formOf, getsDeliveries, type WebhookRecord } from '@svcforms/records';
import { checkTarget } from './check-target.ts';
import { updateHeaders } from './headers.ts';
import { ownForms, ownWebhook, type WebhookRequest } from './own-webhook.ts';
import { readPayload } from './payload-setting.ts';
import { updateSigningKey } from './signing-key.ts';
import { webhookChanges } from './webhook-changes.ts';
import { createWebhooksOut } from './webhook-out.ts';
import type { WebhooksDeps } from './webhooks.ts';

/**
 * Others may change the same webhook at the same time. More conflicts than this have another cause.
 */
const TRIES = 5;

/** The handler that changes webhooks. */
export function createWebhookUpdates(deps: WebhooksDeps) {
  const { forms, webhooks, deliveries, secretBox, guard, renderer, now } = deps;
  const at = () => isoTime(now());
  const webhooksOut = createWebhooksOut(deps);

  /** Makes deliveries due that were postponed to the end of the pause. */
  async function endPause(webhookId: string, pausedUntil: string): Promise<void> {
    await deliveries.updateMany(
      { webhookId, status: 'pending', dueAt: { $exists: true, $eq: pausedUntil } },
      { $set: { dueAt: at() } },
    );
  }

  return {
    change: async (request: WebhookRequest<AccountWebhookPatch>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      let webhook = await ownWebhook(deps, caller, params);
      const { headers, isPublicKeySigned, forms: listed } = body;
      const ownListed = listed ? await ownForms(forms, caller, listed) : undefined;
      if (body.url !== undefined) await checkTarget(guard, caller, body.url);
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
          audit({
            changes: { ...webhookChanges(webhook, changed, body), ...ofHeaders.changes, ...ofKey.changes },
          });
          if (startsOver(webhook, body) && webhook.pausedUntil !== undefined)
            await endPause(webhook._id, webhook.pausedUntil);
          note({ event: 'webhook.changed', formId: formOf(webhook), webhookId: webhook._id });
          const [data] = await webhooksOut([changed]);
          return { data };
        }
        webhook = await ownWebhook(deps, caller, params);
      }
      throw new AppError('CONFLICT', 'Others are changing this webhook. Try again.');
    },
  };
}

/** What changes with one property of a patch. */
interface UpdatePart {
  set: Partial<WebhookRecord>;
  unset: readonly string[];
}

/**
 * The update for a patch: null removes a field. `listed`: its forms, without repeated ones;
 * `payload`: as it is stored; `parts`: of the properties that aren't stored as they are sent.
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
      ...(isReset ? { ...HEALTHY, startedOverAt: at } : {}),
      updatedAt: at,
    },
    ...unsetting([...namesOfNull, ...parts.flatMap((part) => part.unset), ...(isReset ? FAILURE_STATE : [])]),
  };
}

/**
 * Another URL keeps the one before, which may have got data. `unchanged` matches while nobody else
 * has replaced it.
 */
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
 * Whether a patch clears the failure state: it enables the webhook, or gives an enabled one another
 * URL, about which the failures and the pause of the one before say nothing.
 */
function startsOver(webhook: WebhookRecord, { isEnabled, url = webhook.url }: AccountWebhookPatch): boolean {
  return isEnabled ?? (webhook.isEnabled && url !== webhook.url);
}

/**
 * Disabling a webhook that gets no deliveries keeps its reason. One that failures have disabled
 * still gets some.
 */
function enabledState(webhook: WebhookRecord, isEnabled: boolean, at: string): Update<WebhookRecord>['$set'] {
  if (isEnabled) return { isEnabled, disabledReason: null, disabledAt: null };
  return getsDeliveries(webhook) ? { isEnabled, disabledReason: 'manual', disabledAt: at } : {};
}
