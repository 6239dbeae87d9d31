import type { IdPrefix } from '@svcforms/contracts';
import { hash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * An id that the same `seed` always gives: the time of a ULID (its ten characters), then 80 bits of a hash. So what is made
 * twice is known for the same.
 */
export function derivedId(prefix: IdPrefix, time: string, seed: string): string {
  const bytes = hash('sha256', seed, 'binary');
  let id = `${prefix}_${time}`;
  for (let i = 0; i < 16; i++) id += CROCKFORD[bytes.charCodeAt(i) & 31];
  return id;
}
