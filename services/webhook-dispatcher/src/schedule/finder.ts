import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from '@svcforms/document-store';
import type { DeliveryRecord } from '@svcforms/records';
import type { Holding, Holdings } from './holdings.ts';
import type { PlaceOwner, Places, Slot } from './places.ts';

const SWEEP_SIZE = 200;
const REFILL_SIZE = 64;
const REFILL_PAUSE_MS = 500;

export interface Finder {
  /** Takes every delivery whose time has come. */
  sweep(): Promise<void>;
  /** Finds the webhooks that deliveries wait for: those of other processes, and of this one before it was started again. */
  scan(): Promise<void>;
  /** Fetches what waits for this webhook, as much as there is room for. Never rejects. */
  refill(owner: PlaceOwner): Promise<void>;
  /** Makes what dead processes held due at once. Only for a process that shares its store with no other. */
  freeAllLeases(): Promise<void>;
}

export interface FinderDeps {
  deliveries: Collection<DeliveryRecord>;
  holdings: Holdings;
  places: Places<Holding>;
  /** Called when there is something to run. */
  wake: () => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Finds work in the store: what is due, and what waits for a place. */
export function createFinder(deps: FinderDeps): Finder {
  const { deliveries, holdings, places, wake, now } = deps;

  function reserveAll(owner: PlaceOwner): Slot[] {
    const slots: Slot[] = [];
    while (slots.length < REFILL_SIZE) {
      const slot = holdings.reserve(owner, 'waiting');
      if (!slot) break;
      slots.push(slot);
    }
    return slots;
  }

  /** Whether there may be more. */
  async function fetchWaiting(owner: PlaceOwner, slots: Slot[]): Promise<boolean> {
    let found: DeliveryRecord[];
    try {
      found = await deliveries.find(
        { waiting: { $exists: true, $gt: `${owner.webhookId}|`, $lt: `${owner.webhookId}|~` } },
        { sort: ['waiting'], limit: slots.length },
      );
    } catch (error) {
      for (const slot of slots) places.release(slot, 'unused');
      throw error;
    }
    await holdings.takeWaiting(found, slots);
    return found.length === slots.length;
  }

  return {
    async sweep() {
      for (;;) {
        const found = await deliveries.find(
          { dueAt: { $exists: true, $lte: new Date(now()).toISOString() } },
          { sort: ['dueAt'], limit: SWEEP_SIZE },
        );
        const due = found.filter(({ _id }) => !holdings.has(_id));
        await holdings.takeDue(due);
        wake();
        if (found.length < SWEEP_SIZE || due.length === 0) return;
      }
    },

    async scan() {
      let after = '';
      for (;;) {
        const [first] = await deliveries.find(
          { waiting: { $exists: true, $gt: after } },
          { sort: ['waiting'], limit: 1 },
        );
        if (!first) break;
        places.markWaiting(first);
        after = `${first.webhookId}|~`;
      }
      wake();
    },

    async refill(owner) {
      const slots = reserveAll(owner);
      let more = true;
      try {
        if (slots.length > 0) more = await fetchWaiting(owner, slots);
        else await pause(REFILL_PAUSE_MS);
      } catch {
        // The store is away; the sweep, which has failed too, says so.
        await pause(REFILL_PAUSE_MS);
      }
      places.refilled(owner, more);
      wake();
    },

    async freeAllLeases() {
      await deliveries.updateMany(
        { status: 'delivering', dueAt: { $exists: true } },
        { $set: { status: 'pending', dueAt: new Date(now()).toISOString() }, $unset: { owner: true } },
      );
    },
  };
}
