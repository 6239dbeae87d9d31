import type { Clock } from './types.ts';

/** How often a job polls the store at least. */
const POLL_EVERY_MS = 5_000;
/** A larger difference between the clock and elapsed time means that the clock was set. */
const CLOCK_SET_MS = 1_000;

/**
 * How far a job looks ahead: longer than any time between two polls, with jobs that run once a
 * second.
 */
export const LOOK_AHEAD_MS = 7_000;

/** Decides how often a periodic job polls the store for work. */
export interface PollSchedule {
  /** The next run of the job polls: there may be work. */
  wake(): void;
  /**
   * Polls if the last poll found something, if work is due or announced by then, or if the last
   * poll was some seconds ago. `search` returns when the earliest work that it found is or was due
   * (ISO 8601), or `undefined` if it found none.
   */
  pollIfDue(search: () => Promise<string | undefined>): Promise<void>;
}

/**
 * For jobs that run often, so that work waits for little, and usually find none: most of their runs
 * then cost no query. Work is found on time if its time is known {@link LOOK_AHEAD_MS} before, or
 * if `wake` is called; and whatever happens, in the few seconds until the next poll.
 */
export function createPollSchedule({
  now,
  pollEveryMs = POLL_EVERY_MS,
}: {
  now: Clock;
  /** At most the default. */
  pollEveryMs?: number;
}): PollSchedule {
  let pollAt = -Infinity;
  let last = { clock: 0, elapsed: -Infinity };

  function isDue(): boolean {
    const elapsed = performance.now() - last.elapsed;
    const isClockSet = Math.abs(now() - last.clock - elapsed) > CLOCK_SET_MS;
    return elapsed >= pollEveryMs || isClockSet || now() >= pollAt;
  }

  return {
    wake() {
      pollAt = -Infinity;
    },
    async pollIfDue(search) {
      if (!isDue()) return;
      last = { clock: now(), elapsed: performance.now() };
      pollAt = Infinity;
      let foundAt = -Infinity;
      try {
        const dueAt = await search();
        const time = dueAt === undefined ? Infinity : Date.parse(dueAt);
        // A time that can't be read is due.
        if (!Number.isNaN(time)) foundAt = time;
      } finally {
        // It may have been woken during the search.
        pollAt = Math.min(pollAt, foundAt);
      }
    },
  };
}
