import type { Collection, Comparison } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { DeliveryRecord } from '@svcforms/records';
import { bytesOf, dueSinceOf, toBacklog, type Candidate, type Leases } from './leases.ts';
import type { Permits } from './permits.ts';
import type { Reservation } from './webhook-queues.ts';

export interface Claims {
  /** Leases deliveries that are due, and moves those without a reservation to the backlog. */
  claimDue(due: readonly DeliveryRecord[]): Promise<void>;
  /**
   * Leases deliveries of the backlog into these reservations, and releases the reservations that it
   * doesn't need.
   */
  claimBacklog(backlog: readonly DeliveryRecord[], reservations: readonly Reservation[]): Promise<void>;
}

/**
 * Leases stored deliveries. Of any number of processes that claim the same delivery, one gets it.
 */
export function createClaims(deps: {
  deliveries: Pick<Collection<DeliveryRecord>, 'updateMany' | 'bulkUpdate'>;
  permits: Pick<Permits<unknown>, 'markBacklog' | 'release'>;
  leases: Pick<Leases, 'owner' | 'durationMs' | 'has' | 'reserve' | 'add' | 'confirm'>;
  now: Clock;
}): Claims {
  const { deliveries, permits, leases, now } = deps;

  /** Leases the candidates that still fulfill `condition`. */
  async function claim(
    candidates: readonly Candidate[],
    condition: Record<string, Comparison>,
  ): Promise<void> {
    if (candidates.length === 0) return;
    const expiresAt = now() + leases.durationMs;
    const dueAt = isoTime(expiresAt);
    const ids = candidates.map(({ delivery }) => delivery._id);
    try {
      const claimed = await deliveries.updateMany(
        { _id: { $in: ids }, ...condition },
        { $set: { status: 'delivering', owner: leases.owner, dueAt }, $unset: { waiting: true } },
      );
      const mine = claimed === ids.length ? null : await leases.confirm(ids, dueAt);
      for (const candidate of candidates) {
        if (!mine || mine.has(candidate.delivery._id)) leases.add(candidate, expiresAt);
        else permits.release(candidate.reservation, 'unused');
      }
    } catch (error) {
      // If the store made the update nevertheless, the leases expire and the deliveries are due
      // again.
      for (const { reservation } of candidates) permits.release(reservation, 'unused');
      throw error;
    }
  }

  async function moveToBacklog(due: readonly DeliveryRecord[]): Promise<void> {
    if (due.length === 0) return;
    await deliveries.bulkUpdate(
      due.map((delivery) =>
        toBacklog(delivery, delivery.dueAt ?? isoTime(now()), { dueAt: { $eq: delivery.dueAt ?? null } }),
      ),
    );
    for (const delivery of due) permits.markBacklog(delivery);
  }

  return {
    async claimDue(due) {
      const candidates: Candidate[] = [];
      const rest: DeliveryRecord[] = [];
      for (const delivery of due) {
        if (leases.has(delivery._id)) continue;
        const reservation = leases.reserve(delivery, 'due', bytesOf(delivery));
        if (reservation)
          candidates.push({ delivery, reservation, dueSince: delivery.dueAt ?? isoTime(now()) });
        else rest.push(delivery);
      }
      await Promise.all([
        claim(candidates, { dueAt: { $exists: true, $lte: isoTime(now()) } }),
        moveToBacklog(rest),
      ]);
    },

    async claimBacklog(backlog, reservations) {
      const candidates: Candidate[] = [];
      for (const [index, reservation] of reservations.entries()) {
        const delivery = backlog[index];
        if (delivery && !leases.has(delivery._id))
          candidates.push({ delivery, reservation, dueSince: dueSinceOf(delivery) });
        else permits.release(reservation, 'unused');
      }
      await claim(candidates, { waiting: { $exists: true } });
    },
  };
}
