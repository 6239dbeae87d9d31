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

/** From 0 to below 1 in 256 steps, of the system's random numbers: fetched in stock, because each request for some is dear. */
function random(): number {
  if (used === pool.length) {
    pool = globalThis.crypto.getRandomValues(new Uint8Array(1024));
    used = 0;
  }
  return (pool[used++] ?? 0) / 256;
}

/** Ids made by one process sort in the order in which they were made, also within a millisecond. */
const nextUlid = monotonicFactory(random);

/** A new id: prefix, underscore, 26-character ULID (`frm_01J…`). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}

/** The ten characters that the ULID of an id made at that time (milliseconds since the epoch) begins with. */
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
