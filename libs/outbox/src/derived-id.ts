import type { IdPrefix } from '@svcforms/contracts';
import { createHash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * An id that the same `seed` always gives: the time of a ULID (its ten characters), then 80 bits of a hash. So what is made
 * twice is known for the same.
 */
export function derivedId(prefix: IdPrefix, time: string, seed: string): string {
  const hash = createHash('sha256').update(seed).digest();
  let id = `${prefix}_${time}`;
  for (let i = 0; i < 16; i++) id += CROCKFORD[(hash[i] ?? 0) & 31];
  return id;
}
