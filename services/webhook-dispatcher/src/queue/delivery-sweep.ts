import type { Collection } from '@svcforms/document-store';
import { charactersOf, isoTime, pause, rowsThatFit, type Clock } from '@svcforms/primitives';
import type { DeliveryRecord } from '@svcforms/records';
import type { Claims } from './claims.ts';
import { dueSinceOf, waitsSince, type Leases } from './leases.ts';
import type { Permits } from './permits.ts';
import type { Reservation, WebhookRef } from './webhook-queues.ts';

const FIRST_SWEEP_SIZE = 32;
/**
 * Deliveries of up to a megabyte each are in memory until they are leased or moved to the backlog.
 */
const SWEEP = { maxRows: 200, maxCharacters: 8 * 1024 ** 2 };
const REFILL_SIZE = 64;
const REFILL_PAUSE_MS = 500;

export interface DeliverySweep {
  /** Leases every delivery that is due. */
  sweepDue(): Promise<void>;
  /**
   * Finds the webhooks with a backlog, including those of other processes and of this one before a
   * restart.
   */
  scanBacklog(): Promise<void>;
  /**
   * Returns since when the oldest delivery waits that the last scan found waiting for room, ISO
   * 8601.
   */
  oldestWithoutRoom(): string | undefined;
  /** Loads this webhook's backlog, as much as there is room for. Never rejects. */
  refill(webhook: WebhookRef): Promise<void>;
  /**
   * Makes the leases of dead processes expire now. Only for a process that is alone on its store.
   */
  freeAllLeases(): Promise<void>;
}

interface DeliverySweepDeps {
  deliveries: Pick<Collection<DeliveryRecord>, 'find' | 'updateMany'>;
  leases: Pick<Leases, 'has' | 'reserve' | 'withoutRoomSince'>;
  claims: Claims;
  permits: Pick<Permits<unknown>, 'markBacklog' | 'refilled' | 'release'>;
  /** Called when there is something to start. */
  onReady: () => void;
  /** Ends the pause of a refill. */
  signal: AbortSignal;
  now: Clock;
}

/** Finds deliveries in the store: those that are due, and the backlog. */
export function createDeliverySweep(deps: DeliverySweepDeps): DeliverySweep {
  const { deliveries, leases, claims, permits, onReady, signal, now } = deps;
  let sweepSize = FIRST_SWEEP_SIZE;
  let oldestWithoutRoom: string | undefined;

  function reserveAll(webhook: WebhookRef): Reservation[] {
    const reservations: Reservation[] = [];
    while (reservations.length < REFILL_SIZE) {
      const reservation = leases.reserve(webhook, 'backlog');
      if (!reservation) break;
      reservations.push(reservation);
    }
    return reservations;
  }

  /** Returns whether there may be more. */
  async function loadBacklog({ webhookId }: WebhookRef, reservations: Reservation[]): Promise<boolean> {
    let found: DeliveryRecord[];
    try {
      found = await deliveries.find(
        { waiting: { $exists: true, $gt: `${webhookId}|`, $lt: `${webhookId}|~` } },
        { sort: ['waiting'], limit: reservations.length },
      );
    } catch (error) {
      for (const reservation of reservations) permits.release(reservation, 'unused');
      throw error;
    }
    await claims.claimBacklog(found, reservations);
    return found.length === reservations.length;
  }

  return {
    async sweepDue() {
      for (;;) {
        const found = await deliveries.find(
          { dueAt: { $exists: true, $lte: isoTime(now()) } },
          { sort: ['dueAt'], limit: sweepSize },
        );
        const isFull = found.length === sweepSize;
        if (isFull) sweepSize = rowsThatFit(found, charactersOf, SWEEP);
        const due = found.filter(({ _id }) => !leases.has(_id));
        await claims.claimDue(due);
        onReady();
        if (!isFull || due.length === 0) return;
      }
    },

    async scanBacklog() {
      const withoutRoom: string[] = [];
      let after = '';
      for (;;) {
        const [first] = await deliveries.find(
          { waiting: { $exists: true, $gt: after } },
          { sort: ['waiting'], limit: 1 },
        );
        if (!first) break;
        permits.markBacklog(first);
        const since = leases.withoutRoomSince(first);
        if (since !== undefined) withoutRoom.push(waitsSince(dueSinceOf(first), since));
        after = `${first.webhookId}|~`;
      }
      [oldestWithoutRoom] = withoutRoom.toSorted();
      onReady();
    },

    oldestWithoutRoom: () => oldestWithoutRoom,

    async refill(webhook) {
      const reservations = reserveAll(webhook);
      let hasMore = true;
      try {
        if (reservations.length > 0) hasMore = await loadBacklog(webhook, reservations);
        else await pause(REFILL_PAUSE_MS, signal);
      } catch {
        // The store is unavailable; the sweep fails, too, and logs it.
        await pause(REFILL_PAUSE_MS, signal);
      }
      permits.refilled(webhook, hasMore);
      onReady();
    },

    async freeAllLeases() {
      await deliveries.updateMany(
        { status: 'delivering', dueAt: { $exists: true } },
        { $set: { status: 'pending', dueAt: isoTime(now()) }, $unset: { owner: true } },
      );
    },
  };
}
