import type { Collection, Filter, UpdateOperation } from '@svcforms/document-store';
import { chunksOf, isoTime, type Clock } from '@svcforms/primitives';
import { waitingKey, type DeliveryRecord } from '@svcforms/records';
import type { DeferredInserts } from './deferred-inserts.ts';
import type { Permits } from './permits.ts';
import type { Reservation, WebhookRef } from './webhook-queues.ts';

/** A lease outlives the attempt that it was taken for by this much. */
const LEASE_MARGIN_MS = 5_000;
const RENEWAL_SIZE = 100;

/** This process's exclusive claim on a delivery. */
export interface Lease {
  readonly delivery: DeliveryRecord;
  readonly reservation: Reservation;
  /** When the delivery became due, ISO 8601: its position in the backlog. */
  readonly dueSince: string;
  /** Milliseconds since the epoch. Renewed until the lease ends. */
  expiresAt: number;
  /**
   * Whether the reservation was returned: the attempt is over, though its result may not be stored
   * yet.
   */
  isReleased: boolean;
}

/** A delivery that has a reservation but no lease yet. */
export interface Candidate {
  delivery: DeliveryRecord;
  reservation: Reservation;
  dueSince: string;
}

export interface Leases {
  /** The value of the stored field `owner`: this process. */
  readonly owner: string;
  readonly durationMs: number;
  readonly renewEveryMs: number;
  has(deliveryId: string): boolean;
  /**
   * Like `Permits.reserve`, but `null` while too many leases wait for their result to be stored.
   */
  reserve(webhook: WebhookRef, origin: 'due' | 'backlog', bytes?: number): Reservation | null;
  /**
   * Returns since when the webhook has nothing running, and only waits for this process or its
   * account: no permit is left, or too many leases wait for their result to be stored. Milliseconds
   * since the epoch; `undefined` if that isn't so.
   */
  withoutRoomSince(webhook: WebhookRef): number | undefined;
  /** Starts the lease of a delivery that is leased in the store. */
  add(candidate: Candidate, expiresAt: number): void;
  /** Whether the lease is valid. An expired lease is forgotten. */
  isValid(lease: Lease): boolean;
  /** Returns the ids whose stored lease is this process's and ends at `dueAt`. */
  confirm(deliveryIds: readonly string[], dueAt: string): Promise<Set<string>>;
  /** Ends the leases of these events' deliveries; attempts that haven't started don't start. */
  revoke(eventIds: ReadonlySet<string>): void;
  /** Forgets the lease: what was stored ended it, or it will expire in the store. */
  forget(deliveryId: string): void;
  renew(): Promise<void>;
  /** Moves prefetched deliveries of webhooks that became slow to the backlog. */
  returnExcess(): Promise<void>;
  /** Makes every delivery that hasn't started due now, for any process. */
  returnAll(): Promise<void>;
}

interface LeasesDeps {
  deliveries: Collection<DeliveryRecord>;
  deferredInserts: Pick<DeferredInserts, 'flush'>;
  permits: Permits<Lease>;
  owner: string;
  deliveryTimeoutMs: number;
  /**
   * Above this number no more deliveries are leased: results pile up because the store is slow or
   * unavailable.
   */
  maxLeases?: number;
  now: Clock;
}

/** The size in memory at two bytes a character, the most that V8 uses. */
export const bytesOf = ({ body }: DeliveryRecord): number => 2 * body.length;

/** When a delivery of the backlog became due, ISO 8601. */
export const dueSinceOf = ({ waiting = '' }: DeliveryRecord): string => waiting.split('|')[1] ?? '';

/**
 * Returns since when a delivery waits for a permit or for room, ISO 8601. A recovery makes old
 * deliveries due again, so that its webhook may wait for a shorter time than `dueSince` says.
 */
export const waitsSince = (dueSince: string, webhookSince: number): string =>
  [dueSince, isoTime(webhookSince)].toSorted()[1] ?? dueSince;

/** The leases of this process, in memory and in the store. */
export function createLeases(deps: LeasesDeps): Leases {
  const { deliveries, deferredInserts, permits, owner, maxLeases = 12_000, now } = deps;
  const durationMs = deps.deliveryTimeoutMs + LEASE_MARGIN_MS;
  const renewEveryMs = durationMs / 3;
  const leases = new Map<string, Lease>();

  async function confirm(deliveryIds: readonly string[], dueAt: string): Promise<Set<string>> {
    const found = await deliveries.find({ _id: { $in: deliveryIds }, owner, dueAt });
    return new Set(found.map(({ _id }) => _id));
  }

  return {
    owner,
    durationMs,
    renewEveryMs,
    confirm,
    has: (deliveryId) => leases.has(deliveryId),
    forget: (deliveryId) => void leases.delete(deliveryId),

    reserve: (webhook, origin, bytes) =>
      leases.size < maxLeases ? permits.reserve(webhook, origin, bytes) : null,

    withoutRoomSince: (webhook) =>
      leases.size < maxLeases ? permits.withoutPermitSince(webhook) : permits.waitingSince(webhook),

    add({ delivery, reservation, dueSince }, expiresAt) {
      const lease: Lease = { delivery, reservation, dueSince, expiresAt, isReleased: false };
      leases.set(delivery._id, lease);
      permits.fill(reservation, lease, bytesOf(delivery));
    },

    isValid(lease) {
      if (lease.expiresAt > now()) return true;
      leases.delete(lease.delivery._id);
      return false;
    },

    revoke(eventIds) {
      for (const lease of leases.values()) {
        if (eventIds.has(lease.delivery.eventId)) lease.expiresAt = 0;
      }
    },

    async renew() {
      const time = now();
      const old = [...leases.values()].filter(({ expiresAt }) => {
        const leftMs = expiresAt - time;
        // The clock was set back if more is left than was taken.
        return leftMs < durationMs - renewEveryMs / 2 || leftMs > durationMs;
      });
      for (const chunk of chunksOf(old, RENEWAL_SIZE)) {
        const ids = chunk.map(({ delivery }) => delivery._id);
        const expiresAt = now() + durationMs;
        const dueAt = isoTime(expiresAt);
        const renewed = await deliveries.updateMany({ _id: { $in: ids }, owner }, { $set: { dueAt } });
        const mine = renewed === ids.length ? null : await confirm(ids, dueAt);
        for (const lease of chunk) {
          // Lost: the delivery was deleted, taken over after the lease had expired, or completed
          // just now.
          lease.expiresAt = !mine || mine.has(lease.delivery._id) ? expiresAt : 0;
        }
      }
    },

    async returnExcess() {
      const excess = permits.takeExcess();
      if (excess.length === 0) return;
      for (const { delivery } of excess) leases.delete(delivery._id);
      await deferredInserts.flush(excess.map(({ delivery }) => delivery._id));
      await deliveries.bulkUpdate(
        excess.map(({ delivery, dueSince }) => toBacklog(delivery, dueSince, { owner: { $eq: owner } })),
      );
      for (const { delivery } of excess) permits.markBacklog(delivery);
    },

    async returnAll() {
      const ids = permits.takeAll().map(({ delivery }) => delivery._id);
      for (const id of ids) leases.delete(id);
      if (ids.length === 0) return;
      await deferredInserts.flush(ids);
      await deliveries.updateMany(
        { _id: { $in: ids }, owner },
        { $set: { status: 'pending', dueAt: isoTime(now()) }, $unset: { owner: true } },
      );
    },
  };
}

/** Moves a delivery to its webhook's backlog if it still fulfills `condition`. */
export function toBacklog(
  delivery: DeliveryRecord,
  dueSince: string,
  condition: Filter<DeliveryRecord>,
): UpdateOperation<DeliveryRecord> {
  return {
    filter: { _id: delivery._id, ...condition },
    update: {
      $set: { status: 'pending', waiting: waitingKey(delivery, dueSince) },
      $unset: { dueAt: true, owner: true },
    },
  };
}
