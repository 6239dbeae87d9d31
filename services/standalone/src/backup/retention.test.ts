import { DAY_MS } from '@svcforms/primitives';
import { newBackupName, timeOfBackup, type StoredBackup } from './backup-name.ts';
import { doubtAboutTimes } from './clock-doubt.ts';
import { expiredBackups } from './retention.ts';

const NOW = Date.parse('2026-11-23T02:17:00.000Z');

const backup = (ageMs: number): StoredBackup => ({
  name: newBackupName(NOW - ageMs),
  at: NOW - ageMs,
  bytes: 1,
  storedAt: undefined,
});
const ages = (backups: readonly StoredBackup[]) => backups.map(({ at }) => NOW - at);

describe('the name of a backup', () => {
  it('contains its time to the millisecond, and differs for two at the same time', () => {
    const name = newBackupName(NOW + 7);
    expect(name).toMatch(/^svcforms-20261123T021700007Z-[0-9a-f]{6}\.ndjson\.gz$/);
    expect(timeOfBackup(name)).toBe(NOW + 7);
    expect(newBackupName(NOW)).not.toBe(newBackupName(NOW));
  });

  it.each([
    'svcforms-20261123T021700007Z-3f9a2c.ndjson.gz.partial',
    'svcforms-20261323T021700007Z-3f9a2c.ndjson.gz',
    'other-20261123T021700007Z-3f9a2c.ndjson.gz',
    'notes.txt',
  ])('is not %s', (name) => {
    expect(timeOfBackup(name)).toBeUndefined();
  });
});

describe('expired backups', () => {
  const all = [0, 1, 2, 3].map((days) => backup(days * DAY_MS));

  it('are those older than the number of days, and one that is exactly as old stays', () => {
    const atLimit = backup(2 * DAY_MS);
    const beyond = backup(2 * DAY_MS + 1);
    const expired = expiredBackups([beyond, backup(0), atLimit], { keepDays: 2, keepCount: 0 }, NOW);
    expect(ages(expired)).toEqual([2 * DAY_MS + 1]);
  });

  it('are all but the newest ones, in any order of the list', () => {
    const expired = expiredBackups(all.toReversed(), { keepDays: 0, keepCount: 3 }, NOW);
    expect(ages(expired)).toEqual([3 * DAY_MS]);
    expect(expiredBackups(all, { keepDays: 0, keepCount: 4 }, NOW)).toEqual([]);
    expect(expiredBackups(all, { keepDays: 0, keepCount: 5 }, NOW)).toEqual([]);
  });

  it('are those of either limit', () => {
    expect(ages(expiredBackups(all, { keepDays: 1, keepCount: 3 }, NOW))).toEqual([2 * DAY_MS, 3 * DAY_MS]);
    expect(ages(expiredBackups(all, { keepDays: 9, keepCount: 1 }, NOW))).toHaveLength(3);
  });

  it('are none without limits, and never the newest', () => {
    expect(expiredBackups(all, { keepDays: 0, keepCount: 0 }, NOW)).toEqual([]);
    expect(expiredBackups([backup(99 * DAY_MS)], { keepDays: 1, keepCount: 1 }, NOW)).toEqual([]);
  });
});

describe('the times of backups', () => {
  const daysAgo = (...days: number[]) => days.map((each) => backup(each * DAY_MS));

  it.each([
    ['one is in the future', daysAgo(0, -1, 3), 'has a time in the future'],
    ['all others are expired', daysAgo(0, 31, 32), 'no backup of the 30 days before'],
    ['all others were expired once', daysAgo(0, 1, 2, 33, 34), 'no backup of the 30 days before'],
    [
      'all others are expired, soon after a real pause',
      daysAgo(0, 351, 352, 353, 354, 400),
      'no backup of the 30 days before',
    ],
  ])('are doubtful if %s', (_, all, reason) => {
    expect(doubtAboutTimes(all, { keepDays: 30, now: NOW })).toContain(reason);
  });

  it.each([
    ['one is some seconds ahead', [backup(-60_000), ...daysAgo(1, 2)]],
    ['the pause was long ago', daysAgo(0, 15, 31, 62)],
    ['pauses are usual', daysAgo(0, 60, 120)],
    ['one begins minutes late', [backup(0), backup(30 * DAY_MS + 600_000), ...daysAgo(60)]],
    ['there is only one', daysAgo(0)],
  ])('are not if %s', (_, all) => {
    expect(doubtAboutTimes(all, { keepDays: 30, now: NOW })).toBeUndefined();
  });
});
