import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { waitingKey, type DeliveryRecord } from '@svcforms/records';
import type { DeferredInserts } from './deferred-inserts.ts';
import { bytesOf, type Candidate, type Leases } from './leases.ts';
import type { Permits } from './permits.ts';

interface Intake {
  /**
   * Inserts new deliveries: those with a reservation are leased to this process, the others join
   * the backlog, except those whose status is `held`. A delivery that is already stored stays
   * unchanged.
   */
  insert(deliveries: readonly DeliveryRecord[]): Promise<void>;
  /**
   * The same for deliveries that can't be stored yet: those with a reservation can start when the
   * call returns, and are inserted with their result if that arrives soon. Resolves when all are
   * stored.
   */
  insertDeferred(deliveries: readonly DeliveryRecord[]): Promise<void>;
}

/** Takes new deliveries into the queue. Room is reserved before anything is written. */
export function createIntake(deps: {
  deliveries: Pick<Collection<DeliveryRecord>, 'insertMany'>;
  deferredInserts: Pick<DeferredInserts, 'defer' | 'insert'>;
  permits: Pick<Permits<unknown>, 'markBacklog' | 'release'>;
  leases: Pick<Leases, 'owner' | 'durationMs' | 'reserve' | 'add'>;
  now: Clock;
}): Intake {
  const { deliveries, deferredInserts, permits, leases, now } = deps;
  const { owner } = leases;

  /** The new deliveries as they will be stored, and those of them that have a reservation. */
  function prepare(fresh: readonly DeliveryRecord[], expiresAt: number) {
    const dueAt = isoTime(expiresAt);
    const candidates = new Map<string, Candidate>();
    const records = fresh.map((delivery): DeliveryRecord => {
      if (delivery.status === 'held') return delivery;
      const dueSince = delivery.createdAt;
      const reservation = leases.reserve(delivery, 'due', bytesOf(delivery));
      if (!reservation) return { ...delivery, waiting: waitingKey(delivery, dueSince) };
      const leased: DeliveryRecord = { ...delivery, status: 'delivering', owner, dueAt };
      candidates.set(delivery._id, { delivery: leased, reservation, dueSince });
      return leased;
    });
    return { records, candidates };
  }

  function markBacklog(records: readonly DeliveryRecord[]): void {
    for (const record of records) if (record.waiting) permits.markBacklog(record);
  }

  async function insertIdle(idle: readonly DeliveryRecord[]): Promise<void> {
    // Before the insert, so that nothing newer overtakes them, and after it, when a refill can find
    // them.
    markBacklog(idle);
    await deferredInserts.insert(idle);
    markBacklog(idle);
  }

  return {
    async insert(fresh) {
      const expiresAt = now() + leases.durationMs;
      const { records, candidates } = prepare(fresh, expiresAt);
      try {
        const { duplicates } = await deliveries.insertMany(records);
        for (const id of duplicates) {
          const candidate = candidates.get(id);
          if (candidate) permits.release(candidate.reservation, 'unused');
          candidates.delete(id);
        }
      } catch (error) {
        for (const { reservation } of candidates.values()) permits.release(reservation, 'unused');
        throw error;
      }
      for (const candidate of candidates.values()) leases.add(candidate, expiresAt);
      markBacklog(records);
    },

    async insertDeferred(fresh) {
      const expiresAt = now() + leases.durationMs;
      const { records, candidates } = prepare(fresh, expiresAt);
      for (const candidate of candidates.values()) leases.add(candidate, expiresAt);
      const idle = records.filter(({ _id }) => !candidates.has(_id));
      const started = records.filter(({ _id }) => candidates.has(_id));
      await Promise.all([deferredInserts.defer(started), insertIdle(idle)]);
    },
  };
}
