import type { Collection, Comparison, UpdateOperation } from '@svcforms/document-store';
import { waitingKey, type DeliveryRecord } from '@svcforms/records';
import type { FirstWrites } from '../deliver/first-writes.ts';
import type { PlaceOwner, Places, Slot } from './places.ts';

/** A lease has to outlive the attempt that it was taken for by this much. */
const LEASE_MARGIN_MS = 5_000;
const RENEW_SIZE = 100;

/** A delivery that this process holds the lease of. */
export interface Holding {
  delivery: DeliveryRecord;
  slot: Slot;
  /** Milliseconds since the epoch; renewed while it is held. */
  leasedUntil: number;
  /** ISO 8601, when it became due: its place in the order of those that wait. */
  since: string;
}

export interface Holdings {
  /** The value of `owner` in what this process holds. */
  readonly owner: string;
  readonly renewEveryMs: number;
  has(deliveryId: string): boolean;
  /** A slot for a delivery, or `null`: see `Places`; and none while too much is held whose results aren't stored yet. */
  reserve(owner: PlaceOwner, origin: 'due' | 'waiting', bytes?: number): Slot | null;
  /**
   * Stores new deliveries: those that get a slot are this process's at once, the others wait, but for those that are held. A
   * delivery that is there already stays as it is.
   */
  insert(deliveries: readonly DeliveryRecord[]): Promise<void>;
  /**
   * The same for new deliveries that can't be there: what gets a slot may be run when the call returns, and is stored with its
   * result where that comes soon. Resolves when all are stored.
   */
  begin(deliveries: readonly DeliveryRecord[]): Promise<void>;
  /** Takes scheduled deliveries whose time has come, and those of dead processes; what gets no slot waits from now on. */
  takeDue(due: readonly DeliveryRecord[]): Promise<void>;
  /** Takes deliveries that were waiting, into slots reserved before. Slots that aren't needed are given back. */
  takeWaiting(waiting: readonly DeliveryRecord[], slots: readonly Slot[]): Promise<void>;
  /** Whether the lease is still this process's; if not, it is forgotten. */
  isStillHeld(holding: Holding): boolean;
  /** Lets go of deliveries that were erased: an attempt that hasn't begun isn't made. */
  dropErased(eventIds: ReadonlySet<string>): void;
  /** The lease has ended with what was written about it, or is left to run out. */
  forget(deliveryId: string): void;
  renew(): Promise<void>;
  /** Back to waiting with what is held for webhooks that have become slow. */
  returnExcess(): Promise<void>;
  /** Everything that was not started is due again at once, for anyone. */
  returnAll(): Promise<void>;
}

export interface HoldingsDeps {
  deliveries: Collection<DeliveryRecord>;
  firstWrites: Pick<FirstWrites, 'store' | 'insert' | 'flush'>;
  places: Places<Holding>;
  owner: string;
  deliveryTimeoutMs: number;
  /** While so many are held nothing more is taken: results pile up, because the store is slow or away. */
  maxHeld?: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

type Condition = Record<string, Comparison>;

interface Candidate {
  delivery: DeliveryRecord;
  slot: Slot;
  since: string;
}

const iso = (time: number) => new Date(time).toISOString();

/** At two bytes a character, which is the worst. */
const bytesOf = ({ body }: DeliveryRecord) => 2 * body.length;

/** Which deliveries this process holds, in memory and in the store. Slots are reserved before anything is written. */
export function createHoldings(deps: HoldingsDeps): Holdings {
  const { deliveries, firstWrites, places, owner, maxHeld = 12_000, now } = deps;
  const leaseMs = deps.deliveryTimeoutMs + LEASE_MARGIN_MS;
  const renewEveryMs = leaseMs / 3;
  const held = new Map<string, Holding>();

  const reserve: Holdings['reserve'] = (whose, origin, bytes) =>
    held.size < maxHeld ? places.reserve(whose, origin, bytes) : null;

  function keep({ delivery, slot, since }: Candidate, leasedUntil: number): void {
    const holding: Holding = { delivery, slot, since, leasedUntil };
    held.set(delivery._id, holding);
    places.fill(slot, holding, bytesOf(delivery));
  }

  /** The new deliveries as they are to be stored, and those of them that have got a slot. */
  function placed(fresh: readonly DeliveryRecord[], leasedUntil: number) {
    const dueAt = iso(leasedUntil);
    const candidates = new Map<string, Candidate>();
    const records = fresh.map((delivery): DeliveryRecord => {
      if (delivery.status === 'held') return delivery;
      const since = delivery.createdAt;
      const slot = reserve(delivery, 'due', bytesOf(delivery));
      if (!slot) return { ...delivery, waiting: waitingKey(delivery, since) };
      const leased: DeliveryRecord = { ...delivery, status: 'delivering', owner, dueAt };
      candidates.set(delivery._id, { delivery: leased, slot, since });
      return leased;
    });
    return { records, candidates };
  }

  const giveBack = (candidates: readonly { slot: Slot }[]) => {
    for (const { slot } of candidates) places.release(slot, 'unused');
  };

  /** Leases the candidates that still fulfil `condition`. */
  async function claim(candidates: readonly Candidate[], condition: Condition): Promise<void> {
    if (candidates.length === 0) return;
    const leasedUntil = now() + leaseMs;
    const dueAt = iso(leasedUntil);
    const ids = candidates.map(({ delivery }) => delivery._id);
    try {
      const claimed = await deliveries.updateMany(
        { _id: { $in: ids }, ...condition },
        { $set: { status: 'delivering', owner, dueAt }, $unset: { waiting: true } },
      );
      const mine = claimed === ids.length ? null : await readBack(ids, dueAt);
      for (const candidate of candidates) {
        if (!mine || mine.has(candidate.delivery._id)) keep(candidate, leasedUntil);
        else places.release(candidate.slot, 'unused');
      }
    } catch (error) {
      // If the claim came through nevertheless, its lease runs out, and they are due again.
      giveBack(candidates);
      throw error;
    }
  }

  /** Which of these hold the lease that was just written. */
  async function readBack(ids: string[], dueAt: string): Promise<Set<string>> {
    const found = await deliveries.find({ _id: { $in: ids }, owner, dueAt });
    return new Set(found.map(({ _id }) => _id));
  }

  async function makeWait(operations: UpdateOperation[], owners: readonly DeliveryRecord[]): Promise<void> {
    if (operations.length === 0) return;
    await deliveries.bulkUpdate(operations);
    for (const delivery of owners) places.markWaiting(delivery);
  }

  async function insertOthers(others: readonly DeliveryRecord[]): Promise<void> {
    const markWaiting = () => {
      for (const record of others) if (record.waiting) places.markWaiting(record);
    };
    // Before, so that nothing newer overtakes them; and when a refill can find them.
    markWaiting();
    await firstWrites.insert(others);
    markWaiting();
  }

  const toWaiting = (delivery: DeliveryRecord, since: string, condition: Condition): UpdateOperation => ({
    filter: { _id: delivery._id, ...condition },
    update: {
      $set: { status: 'pending', waiting: waitingKey(delivery, since) },
      $unset: { dueAt: true, owner: true },
    },
  });

  return {
    owner,
    renewEveryMs,
    reserve,
    has: (deliveryId) => held.has(deliveryId),

    async insert(fresh) {
      const leasedUntil = now() + leaseMs;
      const { records, candidates } = placed(fresh, leasedUntil);
      try {
        const { duplicates } = await deliveries.insertMany(records);
        for (const id of duplicates) {
          const candidate = candidates.get(id);
          if (candidate) places.release(candidate.slot, 'unused');
          candidates.delete(id);
        }
      } catch (error) {
        giveBack([...candidates.values()]);
        throw error;
      }
      for (const candidate of candidates.values()) keep(candidate, leasedUntil);
      for (const record of records) if (record.waiting) places.markWaiting(record);
    },

    async begin(fresh) {
      const leasedUntil = now() + leaseMs;
      const { records, candidates } = placed(fresh, leasedUntil);
      for (const candidate of candidates.values()) keep(candidate, leasedUntil);
      const others = records.filter(({ _id }) => !candidates.has(_id));
      const begun = records.filter(({ _id }) => candidates.has(_id));
      await Promise.all([firstWrites.store(begun), insertOthers(others)]);
    },

    async takeDue(due) {
      const candidates: Candidate[] = [];
      const slotless: DeliveryRecord[] = [];
      for (const delivery of due) {
        if (held.has(delivery._id)) continue;
        const slot = reserve(delivery, 'due', bytesOf(delivery));
        if (slot) candidates.push({ delivery, slot, since: delivery.dueAt ?? iso(now()) });
        else slotless.push(delivery);
      }
      const operations = slotless.map((delivery) =>
        toWaiting(delivery, delivery.dueAt ?? iso(now()), { dueAt: { $eq: delivery.dueAt ?? null } }),
      );
      await Promise.all([
        claim(candidates, { dueAt: { $exists: true, $lte: iso(now()) } }),
        makeWait(operations, slotless),
      ]);
    },

    async takeWaiting(waiting, slots) {
      const candidates: Candidate[] = [];
      for (const [index, slot] of slots.entries()) {
        const delivery = waiting[index];
        if (delivery && !held.has(delivery._id))
          candidates.push({ delivery, slot, since: delivery.waiting?.split('|')[1] ?? '' });
        else places.release(slot, 'unused');
      }
      await claim(candidates, { waiting: { $exists: true } });
    },

    isStillHeld(holding) {
      if (holding.leasedUntil > now()) return true;
      held.delete(holding.delivery._id);
      return false;
    },

    dropErased(eventIds) {
      for (const holding of held.values()) {
        if (eventIds.has(holding.delivery.eventId)) holding.leasedUntil = 0;
      }
    },

    forget: (deliveryId) => void held.delete(deliveryId),

    async renew() {
      const time = now();
      const old = [...held.values()].filter(
        ({ leasedUntil }) => leasedUntil - time < leaseMs - renewEveryMs / 2,
      );
      for (let at = 0; at < old.length; at += RENEW_SIZE) {
        const chunk = old.slice(at, at + RENEW_SIZE);
        const ids = chunk.map(({ delivery }) => delivery._id);
        const leasedUntil = now() + leaseMs;
        const dueAt = iso(leasedUntil);
        const renewed = await deliveries.updateMany({ _id: { $in: ids }, owner }, { $set: { dueAt } });
        const mine = renewed === ids.length ? null : await readBack(ids, dueAt);
        for (const holding of chunk) {
          // Not ours any more: deleted, taken over after the lease had run out, or just now finished.
          holding.leasedUntil = !mine || mine.has(holding.delivery._id) ? leasedUntil : 0;
        }
      }
    },

    async returnExcess() {
      const excess = places.takeExcess();
      for (const { delivery } of excess) held.delete(delivery._id);
      await firstWrites.flush(excess.map(({ delivery }) => delivery._id));
      const operations = excess.map(({ delivery, since }) =>
        toWaiting(delivery, since, { owner: { $eq: owner } }),
      );
      await makeWait(
        operations,
        excess.map(({ delivery }) => delivery),
      );
    },

    async returnAll() {
      const ids = places.takeAll().map(({ delivery }) => delivery._id);
      for (const id of ids) held.delete(id);
      if (ids.length === 0) return;
      await firstWrites.flush(ids);
      await deliveries.updateMany(
        { _id: { $in: ids }, owner },
        { $set: { status: 'pending', dueAt: iso(now()) }, $unset: { owner: true } },
      );
    },
  };
}
