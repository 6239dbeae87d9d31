import type { BusLog } from '../bus-log.ts';
import { createDurable, type Durable } from './durable.ts';
import type { EventLog } from './log.ts';

/** Acknowledgements are stored together, at most this much later: a crash in between repeats their messages. */
const SAVE_EVERY_MS = 50;

/** The durable names that are in use in this process, and the storing of how far they are. */
export interface Durables {
  get(name: string): Promise<Durable>;
  /** Up to where a name that is in use has acknowledged. */
  acknowledged(name: string): number | undefined;
  /** Call after an acknowledgement. */
  changed(): void;
  /** Stores what has changed, now; what can't be stored is reported, and its messages come again after a restart. */
  save(): Promise<void>;
}

export function createDurables(log: EventLog, report: BusLog): Durables {
  const durables = new Map<string, Durable>();
  const saved = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const all = [...durables].map(([name, durable]) => [name, durable.acknowledged()] as const);
    const cursors = new Map(all.filter(([name, seq]) => saved.get(name) !== seq));
    if (cursors.size === 0) return;
    try {
      await log.saveAcknowledged(cursors);
      for (const [name, seq] of cursors) saved.set(name, seq);
    } catch (error) {
      report.warn({ event: 'bus.not_saved', err: error }, 'acknowledgements could not be stored');
    }
  }

  return {
    save,
    acknowledged: (name) => durables.get(name)?.acknowledged(),
    changed() {
      timer ??= setTimeout(() => void save(), SAVE_EVERY_MS);
    },
    async get(name) {
      const acknowledged = await log.acknowledged(name);
      // Another call for the same name may have come in between.
      const durable = durables.get(name) ?? createDurable(log, acknowledged);
      durables.set(name, durable);
      return durable;
    },
  };
}
