import { DAY_MS, HOUR_MS } from '@svcforms/primitives';
import { newestFirst, type StoredBackup } from './backup-name.ts';

/** With a larger difference, one of two clocks is wrong. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;
/** A schedule with intervals of `keepDays` doesn't start to the second. */
const LATE_START_MS = HOUR_MS;

export const isInFuture = ({ at }: StoredBackup, now: number): boolean => at > now + CLOCK_DIFFERENCE_MS;

/**
 * Why the clock may be wrong: something happened between `from` and `to` by this clock, and at
 * another time by the clock of another machine. `others`: that time by the name of the machine;
 * `undefined` if it doesn't say.
 */
export function doubtAboutClock(
  { from, to }: { from: number; to: number },
  others: Readonly<Record<string, number | undefined>>,
): string | undefined {
  for (const [name, time = to] of Object.entries(others)) {
    if (from - CLOCK_DIFFERENCE_MS <= time && time <= to + CLOCK_DIFFERENCE_MS) continue;
    return `the clocks of this machine and of ${name} differ by more than 5 minutes; synchronize them`;
  }
  return undefined;
}

/**
 * Why the times of backups are no reason to delete any: one is in the future, or there was no
 * backup for longer than `keepDays`, so that all before seem to be expired, as after the clock was
 * set ahead. The second doubt ends when the first backup after that pause is expired, too. Backups
 * that are mostly that rare cause none.
 */
export function doubtAboutTimes(
  backups: readonly StoredBackup[],
  { keepDays, now }: { keepDays: number; now: number },
): string | undefined {
  const sorted = newestFirst(backups);
  const [newest] = sorted;
  if (newest && isInFuture(newest, now)) return inFuture(newest);
  if (keepDays === 0) return undefined;
  const afterPauses = sorted.filter(({ at }, index) => {
    const before = sorted[index + 1];
    return before !== undefined && at - before.at > keepDays * DAY_MS + LATE_START_MS;
  });
  const [first, ...others] = afterPauses;
  const areUsual = others.length > 0 && 2 * afterPauses.length >= sorted.length - 1;
  if (!first || areUsual || first.at < now - keepDays * DAY_MS) return undefined;
  return `there is no backup of the ${keepDays} days before ${first.name}, so the clock may be ahead; if it is right, delete the older ones yourself, or wait ${keepDays} days`;
}

export const inFuture = ({ name }: StoredBackup): string =>
  `${name} has a time in the future, so a clock is wrong, or was when that backup began; synchronize the clocks, or rename the backup to its real time`;
