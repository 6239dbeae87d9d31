import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createTurns } from './turns.ts';

export interface Cost {
  N: number;
  r: number;
  p: number;
}

/** OWASP's first choice of parameters for scrypt: 128 MiB and about a quarter of a second a hash. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 256 * 1024 * 1024;
const KEY_BYTES = 32;

/** What a hash takes, others in this process have to do without: memory, and a thread of the four that files and names use. */
const inTurn = createTurns({ atOnce: 2, maxWaiting: 200, maxWaitingEach: 32 });

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  /**
   * Returns `scrypt$N$r$p$salt$key`, the last two in base64.
   *
   * @param who whose request it is; callers share the processor fairly
   * @throws AppError `RATE_LIMITED`, `UNAVAILABLE` when too many hashes are queued
   */
  hash(password: string, who?: string): Promise<string>;
  /** Whether `hash` is of `password`. `undefined`, for a user who doesn't exist, takes the same time. */
  verify(password: string, hash: string | undefined, who?: string): Promise<boolean>;
}

/**
 * Creates a hasher. Stored hashes name their own cost, so any hasher can verify them.
 *
 * @param cost the cost of new hashes. Tests pass a low one.
 */
export function createPasswordHasher(cost: Cost = COST): PasswordHasher {
  const hashOf = (salt: string, key: string) => ['scrypt', cost.N, cost.r, cost.p, salt, key].join('$');
  /** No password has this hash; verifying it takes as long as any other. */
  const nobodysHash = hashOf('AAAAAAAAAAAAAAAAAAAAAA==', '');
  return {
    async hash(password, who) {
      const salt = randomBytes(16);
      const key = await derive(password, salt, cost, who);
      return hashOf(salt.toString('base64'), key.toString('base64'));
    },
    async verify(password, hash = nobodysHash, who) {
      const [, N, r, p, salt = '', key = ''] = hash.split('$');
      const derived = await derive(
        password,
        Buffer.from(salt, 'base64'),
        { N: Number(N), r: Number(r), p: Number(p) },
        who,
      );
      const expected = Buffer.from(key, 'base64');
      return expected.length === derived.length && timingSafeEqual(expected, derived);
    },
  };
}

/** The hasher of production: every hash at full cost. */
export const { hash: hashPassword, verify: verifyPassword } = createPasswordHasher();

function derive(password: string, salt: Buffer, cost: Cost, who?: string): Promise<Buffer> {
  const options = { ...cost, maxmem: MAX_MEMORY };
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
    who,
  );
}
