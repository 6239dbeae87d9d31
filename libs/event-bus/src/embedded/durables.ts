import type { BusLog } from '../port/port.ts';
import { createDurable, type Durable } from './durable.ts';
import type { EventLog } from './log.ts';

/**
 * Acknowledgements are stored in batches, after at most this time. A crash before that repeats
 * their messages.
 */
const SAVE_EVERY_MS = 50;

/** The durable names that this process uses, and their stored acknowledgements. */
interface Durables {
  get(name: string): Promise<Durable>;
  /** The sequence up to which a name in use has acknowledged everything. */
  acknowledged(name: string): number | undefined;
  /** Call after an acknowledgement. */
  changed(): void;
  /**
   * Stores all changes now. Logs a failure; the messages are then delivered again after a restart.
   */
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
      report.warn({ event: 'bus.not_saved', err: error }, 'acknowledgements were not stored');
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
      // A concurrent call may have created it.
      const durable = durables.get(name) ?? createDurable(log, acknowledged);
      durables.set(name, durable);
      return durable;
    },
  };
}
