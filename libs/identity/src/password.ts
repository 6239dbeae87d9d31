import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createConcurrencyLimiter, type WorkCaller } from './concurrency-limiter.ts';

/** Parameters of scrypt. */
interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/**
 * OWASP's first choice of parameters for scrypt: 128 MiB and about a quarter of a second per hash.
 */
const FULL_COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 256 * 1024 * 1024;
const KEY_BYTES = 32;

/**
 * Each hash takes memory, and one of the four threads that file access and name resolution need
 * too.
 */
const limited = createConcurrencyLimiter({ concurrency: 2, maxQueued: 200, maxQueuedPerCaller: 32 });

export interface PasswordHasher {
  /**
   * Returns `scrypt$N$r$p$salt$key`, the last two in base64. `accountId`: on whose behalf; callers
   * share the processor fairly. Only callers who have proved who they are choose passwords.
   * @throws AppError `RATE_LIMITED`, `UNAVAILABLE` when too many hashes are queued.
   */
  hash: (password: string, accountId?: string) => Promise<string>;
  /**
   * Returns whether `hash` is the hash of `password`. `undefined`, for a user who doesn't exist,
   * takes as long as any other.
   * @throws AppError `RATE_LIMITED`, `UNAVAILABLE` when too many hashes are queued.
   */
  verify: (password: string, hash: string | undefined, caller: WorkCaller) => Promise<boolean>;
}

/**
 * Hashes passwords at `cost` and verifies hashes of any cost. Tests pass a low cost; the limit on
 * concurrent hashes is one for the whole process.
 */
export function createPasswordHasher({ cost = FULL_COST }: { cost?: PasswordCost } = {}): PasswordHasher {
  const { N, r, p } = cost;
  const encode = (salt: string, key: string) => ['scrypt', N, r, p, salt, key].join('$');
  /** Its key is empty, so no password matches it. */
  const unmatched = encode('AAAAAAAAAAAAAAAAAAAAAA==', '');

  return {
    async hash(password, accountId = '') {
      const salt = randomBytes(16);
      const key = await derive(password, salt, cost, { id: accountId, isKnown: true });
      return encode(salt.toString('base64'), key.toString('base64'));
    },
    async verify(password, hash = unmatched, caller) {
      const [, hashN, hashR, hashP, salt = '', key = ''] = hash.split('$');
      const hashCost = { N: Number(hashN), r: Number(hashR), p: Number(hashP) };
      const derived = await derive(password, Buffer.from(salt, 'base64'), hashCost, caller);
      const expected = Buffer.from(key, 'base64');
      return expected.length === derived.length && timingSafeEqual(expected, derived);
    },
  };
}

/** The hasher of the process, at full cost. */
export const passwordHasher = createPasswordHasher();

function derive(password: string, salt: Buffer, cost: PasswordCost, caller: WorkCaller): Promise<Buffer> {
  const options = { ...cost, maxmem: MAX_MEMORY };
  return limited(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
    caller,
  );
}
