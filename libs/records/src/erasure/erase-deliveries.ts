import { isWebhookEventType } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { chunksOf } from '@svcforms/primitives';
import { deliveryExpiry, deliveryId, type DeliveryRecord } from '../collections/delivery.ts';
import { getsDeliveries, isAccountWebhook, type WebhookRecord } from '../collections/webhook.ts';
import type { ErasureCollections } from './erasure-collections.ts';
import type { ErasedEvent } from './erasure-record.ts';
import { findById } from './find-by-id.ts';
import { receiversOf, type ReceivedBy } from './received-by.ts';
import { deliveryWithoutValues } from './tombstone.ts';

/**
 * The fan-out may still be creating deliveries of events this recent. Of those that it reads later,
 * it looks for tombstones itself.
 */
export const GUARDED_MS = 60_000;
/**
 * At high rates, a delivery is sent up to 200 ms before it is stored (ADR 0083), on a busy machine
 * even longer.
 */
const STORED_WITHIN_MS = 1_000;
const CHUNK = 200;

export interface ErasedDeliveries {
  deliveryIds: string[];
  receivedBy: ReceivedBy[];
}

/**
 * Removes the values from the deliveries of these events, and cancels pending ones. Delivery ids
 * are derived from the event and the webhook, so no search is needed. For recent events, an erased
 * delivery is inserted first as a guard, so that a later insert of the real one fails. An endpoint
 * may already have the values of the latest events, so it is reported as one that received them.
 * Deliveries of deleted webhooks that wait for the job are deleted.
 */
export async function eraseDeliveries(
  deps: Pick<ErasureCollections, 'erasures' | 'webhooks' | 'deliveries'>,
  events: readonly ErasedEvent[],
  { accountId, at }: { accountId: string; at: string },
): Promise<ErasedDeliveries> {
  const { erasures, webhooks, deliveries } = deps;
  const erased: ErasedDeliveries = { deliveryIds: [], receivedBy: [] };
  if (events.length === 0) return erased;
  const formIds = [...new Set(events.map(({ formId }) => formId))];
  const found = await webhooks.find({ formId: { $in: [...formIds, accountId] } });
  const pairs = events.flatMap((event) =>
    found.filter((webhook) => mayGet(webhook, event)).map((webhook) => ({ event, webhook })),
  );
  for (const some of chunksOf(pairs, CHUNK)) {
    const guards = some.filter((pair) => mayBeInFlight(pair, at)).map((pair) => guardOf(pair, at));
    const unstored = guards.length > 0 ? (await deliveries.insertMany(guards)).inserted : [];
    const latest = some
      .filter(({ event, webhook }) => webhook.isEnabled && isYounger(event, STORED_WITHIN_MS, at))
      .map(idOf);
    const maybeSent = new Set(unstored.filter((id) => latest.includes(id)));
    const stored = await eraseStored(deliveries, some.map(idOf), at);
    const { deliveryIds, receivedBy } = reportOn(stored, found, { maybeSent, at });
    erased.deliveryIds.push(...deliveryIds);
    erased.receivedBy.push(...receivedBy);
  }
  // Read after the webhooks, because this record is stored before its webhook is deleted.
  const deletions = await erasures.find({ isDeferred: true, accountId });
  const deletedIds = deletions.flatMap(({ webhookIds }) => webhookIds);
  const waiting = events.flatMap(({ id }) => deletedIds.map((webhookId) => deliveryId(id, webhookId)));
  for (const ids of chunksOf(waiting, CHUNK)) await deliveries.deleteMany({ _id: { $in: ids } });
  return erased;
}

/**
 * Removes the values from these test events, whose ids aren't derived from an event. They keep
 * their status.
 */
export async function eraseTests(
  { webhooks, deliveries }: { webhooks: Collection<WebhookRecord>; deliveries: Collection<DeliveryRecord> },
  ids: readonly string[],
  at: string,
): Promise<ErasedDeliveries> {
  const stored = await eraseStored(deliveries, ids, at);
  const found = await findById(
    webhooks,
    stored.map(({ webhookId }) => webhookId),
  );
  return reportOn(stored, [...found.values()], { maybeSent: new Set(), at });
}

/**
 * What was erased and who received it, from the deliveries before the erasure and their webhooks.
 */
function reportOn(
  stored: readonly DeliveryRecord[],
  webhooks: readonly WebhookRecord[],
  { maybeSent, at }: { maybeSent: ReadonlySet<string>; at: string },
): ErasedDeliveries {
  const byId = new Map(webhooks.map((webhook) => [webhook._id, webhook]));
  const receivedBy = stored.flatMap((delivery): ReceivedBy[] => {
    const { _id, webhookId: id, formId, eventType, status } = delivery;
    const webhook = byId.get(id);
    if (!webhook || eventType.startsWith('decision.')) return [];
    const isSending = status === 'delivering' || maybeSent.has(_id);
    return receiversOf(delivery, webhook, { isSending, at }).map((receiver) => ({
      kind: 'webhook',
      id,
      formId,
      ...receiver,
    }));
  });
  // Other deliveries were erased before, or are guards without a real delivery.
  const erased = stored.filter((delivery) => !isClean(delivery));
  return { deliveryIds: erased.map(({ _id }) => _id), receivedBy };
}

/**
 * Erases the deliveries with these ids. A delivery that changes between reading and erasing,
 * because an attempt starts or ends, is read again. Returns the deliveries before the change.
 */
async function eraseStored(
  deliveries: Collection<DeliveryRecord>,
  ids: readonly string[],
  at: string,
): Promise<DeliveryRecord[]> {
  const before = new Map<string, DeliveryRecord>();
  for (;;) {
    const stored = await deliveries.find({ _id: { $in: ids } });
    for (const delivery of stored)
      if (!isClean(delivery) || !before.has(delivery._id)) before.set(delivery._id, delivery);
    const operations = stored
      .filter((delivery) => !isClean(delivery))
      .map((delivery) => ({ filter: asRead(delivery), update: deliveryWithoutValues(delivery, at) }));
    if (operations.length === 0 || (await deliveries.bulkUpdate(operations)) === operations.length)
      return [...before.values()];
  }
}

const isClean = ({ body, erasedAt }: DeliveryRecord) => erasedAt !== undefined && body === '';

const asRead = ({ _id, status, owner, dueAt, waiting }: DeliveryRecord): Filter<DeliveryRecord> => ({
  _id,
  status,
  owner: owner ?? null,
  dueAt: dueAt ?? null,
  waiting: waiting ?? null,
});

interface Pair {
  event: ErasedEvent;
  webhook: WebhookRecord;
}

/**
 * Whether the webhook may have a delivery of the event. Its list of forms may have been another one
 * then.
 */
function mayGet(webhook: WebhookRecord, { type, formId }: ErasedEvent): boolean {
  return isAccountWebhook(webhook) || (webhook.formId === formId && isWebhookEventType(type));
}

/** The webhook may have been created after the event: what counts is the time of the fan-out. */
function mayBeInFlight({ event, webhook }: Pair, at: string): boolean {
  return (
    getsDeliveries(webhook) &&
    (webhook.events as readonly string[]).includes(event.type) &&
    isYounger(event, GUARDED_MS, at)
  );
}

const isYounger = ({ timestamp }: ErasedEvent, ms: number, at: string) =>
  Date.parse(at) - Date.parse(timestamp) < ms;

const idOf = ({ event, webhook }: Pair) => deliveryId(event.id, webhook._id);

function guardOf({ event, webhook }: Pair, at: string): DeliveryRecord {
  return {
    _id: idOf({ event, webhook }),
    accountId: webhook.accountId,
    formId: event.formId,
    webhookId: webhook._id,
    eventId: event.id,
    ...(isAccountWebhook(webhook) ? { ofAccount: true } : {}),
    eventType: event.type,
    body: '',
    status: 'failed',
    attempts: [],
    createdAt: at,
    expireAt: deliveryExpiry(Date.parse(at)),
    erasedAt: at,
  };
}
