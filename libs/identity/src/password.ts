import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createTurns } from './turns.ts';

interface Cost {
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

/**
 * `scrypt$N$r$p$salt$key`, the last two in base64. `who`: on whose behalf; they share the processor fairly, see `createTurns`.
 * @throws AppError `RATE_LIMITED`, `UNAVAILABLE` when too many wait for theirs.
 */
export async function hashPassword(password: string, who?: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST, who);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** What no password has as its hash; checking against it takes as long as against any. */
const NOBODYS_HASH = ['scrypt', COST.N, COST.r, COST.p, 'AAAAAAAAAAAAAAAAAAAAAA==', ''].join('$');

/** Whether `password` is the one that was hashed; `undefined` for a user who isn't there takes the same time. */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  who?: string,
): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (hash ?? NOBODYS_HASH).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost, who);
  const expected = Buffer.from(key, 'base64');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

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
