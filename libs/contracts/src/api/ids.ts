import { encodeTime, monotonicFactory } from 'ulid';

const ID_PREFIXES = [
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
  'inv',
  'agt',
  'grp',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/**
 * What follows the prefix in the ids of the account, the user and the key that the first start
 * creates: fixed, so that concurrent first starts create one of each. They get other ids when the
 * account moves to another installation.
 */
export const FIRST_ULID = '00000000000000000000000001';

let pool = new Uint8Array(0);
let used = 0;

/**
 * A random number from 0 (inclusive) to 1 (exclusive) in 256 steps. Random bytes are fetched in
 * batches, because each call to the system generator is slow.
 */
function random(): number {
  if (used === pool.length) {
    pool = globalThis.crypto.getRandomValues(new Uint8Array(1024));
    used = 0;
  }
  return (pool[used++] ?? 0) / 256;
}

/** Monotonic: the ids of one process sort in creation order, even within a millisecond. */
const nextUlid = monotonicFactory(random);

/** Creates an id: prefix, underscore and a ULID of 26 characters (`frm_01J…`). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}

/** The first ten characters of a ULID created at `time` (milliseconds since the epoch). */
export function ulidTime(time: number): string {
  return encodeTime(time, 10);
}

/** Regular expression source that matches a ULID. */
export const ULID_PATTERN = '[0-9A-HJKMNP-TV-Z]{26}';
const ID_PATTERN = new RegExp(`^[a-z]{3}_${ULID_PATTERN}$`);

/** Whether `text` has the format of an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ID_PATTERN.test(text);
}
