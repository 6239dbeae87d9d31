import { encodeTime, monotonicFactory } from 'ulid';

export const ID_PREFIXES = [
  'frm',
  'sub',
  'whk',
  'del',
  'evt',
  'tsk',
  'inb',
  'key',
  'acc',
  'usr',
  'aud',
  'nad',
  'ses',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

let pool = new Uint8Array(0);
let used = 0;

/**
 * Returns a random number from 0 to below 1 in 256 steps. The system's random bytes are fetched in
 * bulk, because each call is expensive.
 */
function random(): number {
  if (used === pool.length) {
    pool = globalThis.crypto.getRandomValues(new Uint8Array(1024));
    used = 0;
  }
  return (pool[used++] ?? 0) / 256;
}

/** Ids of one process sort by creation, also within a millisecond. */
const nextUlid = monotonicFactory(random);

/** Creates an id: prefix, underscore, 26-character ULID (`frm_01J…`). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}

/**
 * Returns the first ten characters of a ULID that is created at `time`, in milliseconds since the
 * epoch.
 */
export function ulidTime(time: number): string {
  return encodeTime(time, 10);
}

/** A ULID, as a part of a regular expression. */
export const ULID_PATTERN = '[0-9A-HJKMNP-TV-Z]{26}';
const ID_PATTERN = new RegExp(`^[a-z]{3}_${ULID_PATTERN}$`);

/** Whether `text` has the form of an id with that prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ID_PATTERN.test(text);
}
