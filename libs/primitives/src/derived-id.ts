import { hash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Derives an id from a seed: the time of a ULID (ten characters), then 80 bits of a hash. The same
 * input gives the same id, so that repeated work is recognized.
 */
export function derivedId(prefix: string, time: string, seed: string): string {
  const bytes = hash('sha256', seed, 'binary');
  let id = `${prefix}_${time}`;
  for (let i = 0; i < 16; i++) id += CROCKFORD[bytes.charCodeAt(i) & 31];
  return id;
}
