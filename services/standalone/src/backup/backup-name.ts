import { isoTime } from '@svcforms/primitives';
import { randomBytes } from 'node:crypto';

/**
 * A stored backup. Only files and objects with such a name are backups; others are never read or
 * deleted.
 */
export interface StoredBackup {
  name: string;
  /** When it began, in milliseconds since the epoch. */
  at: number;
  bytes: number;
  /**
   * When the target stored it, by its own clock, in milliseconds since the epoch; `undefined` if it
   * doesn't say.
   */
  storedAt: number | undefined;
}

const NAME = /^svcforms-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{6}\.ndjson\.gz$/;

/**
 * The name of a backup that begins at that time: `svcforms-20261123T021700000Z-3f9a2c.ndjson.gz`.
 */
export function newBackupName(at: number): string {
  const time = isoTime(at).replaceAll(/[-:.]/g, '');
  return `svcforms-${time}-${randomBytes(3).toString('hex')}.ndjson.gz`;
}

/** The time in the name of a backup; `undefined` for other names. */
export function timeOfBackup(name: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction] = NAME.exec(name) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Sorts backups, the newest first. */
export const newestFirst = (backups: readonly StoredBackup[]): StoredBackup[] =>
  backups.toSorted((one, other) => other.at - one.at || (one.name < other.name ? 1 : -1));
