import { AppError } from '@svcforms/contracts';
import { isDuplicateKey, type DocumentStore } from '@svcforms/document-store';
import { DAY_MS, HOUR_MS, isoTime, type Clock } from '@svcforms/primitives';
import { hash } from 'node:crypto';
import { LOGIN_FAILURES, type LoginFailuresRecord } from './records/login-failures.ts';

interface Limit {
  /** The number of attempts without a delay. */
  free: number;
  /** A counter expires this long after its last attempt. */
  ttlMs: number;
}

/** What is counted, in error messages. */
const ATTEMPTS = { login: 'failed logins', reset: 'password resets', code: 'wrong codes' } as const;
type Purpose = keyof typeof ATTEMPTS;

const MINUTE_MS = 60_000;
/**
 * The limits of one account on one network, one account on all networks, and one network for all
 * accounts. ADR 0025
 */
const OF_PAIR: Limit = { free: 5, ttlMs: DAY_MS };
const OF_ACCOUNT: Limit = { free: 10, ttlMs: DAY_MS };
const OF_NETWORK: Limit = { free: 20, ttlMs: HOUR_MS };
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** How long a network counts as known after a login. */
const KNOWN_NETWORK_MS = 90 * DAY_MS;
/** Of several concurrent updates of a counter, at least one succeeds in each round. */
const MAX_TRIES = 100;

/**
 * Returns the delay after the `count`-th attempt in milliseconds: none, then 1, 2, 4, 8 and at most
 * 15 minutes.
 */
export function delayAfter(count: number, { free }: Pick<Limit, 'free'>): number {
  return count < free ? 0 : Math.min(MINUTE_MS * 2 ** (count - free), MAX_DELAY_MS);
}

/** One attempt in one counter. */
interface Counted {
  _id: string;
  count: number;
  nextAt: string;
  /** `nextAt` before the attempt. */
  allowedAt: string;
}

/** A counted login attempt, whose password may be checked. */
interface LoginTicket {
  /** Whether the account has logged in from this network before. */
  isKnown: boolean;
  /** Attempts of this account since its last login. */
  attempts: number;
  /** Call after the correct password. Resets the account's counters and makes the network known. */
  succeed(): Promise<void>;
}

/**
 * Counts login attempts in the store before their passwords are hashed, so that concurrent attempts
 * on any number of processes can't exceed a limit. Attempts on a network that the account has
 * logged in from count neither for the account as a whole nor for the network, so that strangers
 * can't lock the user out there. docs/reference/authentication.md#login-limits
 */
export function createLoginLimits({
  store,
  now,
  purpose = 'login',
}: {
  store: DocumentStore;
  now: Clock;
  /** Attempts for different purposes are counted apart. */
  purpose?: Purpose;
}) {
  const counterId = (...parts: string[]) =>
    hash('sha256', JSON.stringify(purpose === 'login' ? parts : [purpose, ...parts]), 'hex');
  const records = store.collection<LoginFailuresRecord>(LOGIN_FAILURES);

  /** Counts an attempt, or returns the time until which the caller must wait. */
  async function count(_id: string, limit: Limit): Promise<Counted | { waitUntil: string }> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const found = await records.findOne({ _id });
      const isCurrent = found !== null && found.expireAt > isoTime(now());
      const allowedAt = (isCurrent ? found.nextAt : undefined) ?? '';
      if (allowedAt > isoTime(now())) return { waitUntil: allowedAt };
      const next = ((isCurrent ? found.count : undefined) ?? 0) + 1;
      const values = {
        count: next,
        nextAt: isoTime(now() + delayAfter(next, limit)),
        expireAt: isoTime(now() + limit.ttlMs),
      };
      const asFound = { _id, count: found?.count ?? null, nextAt: found?.nextAt ?? null };
      const isCounted = found
        ? await records.updateOne(asFound, { $set: values })
        : await insert(_id, values);
      if (isCounted) return { _id, count: next, nextAt: values.nextAt, allowedAt };
    }
    return { waitUntil: isoTime(now() + 1000) };
  }

  async function insert(_id: string, values: Omit<LoginFailuresRecord, '_id'>): Promise<boolean> {
    try {
      await records.insertOne({ _id, ...values });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Returns the time until which the counter allows no attempts; empty if it does. */
  async function waitOf(_id: string): Promise<string> {
    const found = await records.findOne({ _id });
    return found && found.expireAt > isoTime(now()) ? (found.nextAt ?? '') : '';
  }

  function refuseUntil(nextAt: string): void {
    if (nextAt > isoTime(now())) throw tooMany(purpose, Date.parse(nextAt) - now());
  }

  /** Removes an attempt from a counter. If later attempts were counted, their delay stays. */
  async function uncount({ _id, count, nextAt, allowedAt }: Counted): Promise<void> {
    const before = { count: count - 1, nextAt: allowedAt };
    if (await records.updateOne({ _id, count, nextAt }, { $set: before })) return;
    await records.updateOne({ _id, count: { $gt: 0 } }, { $inc: { count: -1 } });
  }

  /**
   * @param network from `clientNetwork`
   * @throws AppError `RATE_LIMITED`; then the attempt isn't counted
   */
  return async function take({ email, network }: { email: string; network: string }): Promise<LoginTicket> {
    const pair = counterId('pair', email, network);
    const known = counterId('known', email, network);
    const account = counterId('account', email);
    const ofNetwork = counterId('network', network);
    const isKnown = ((await records.findOne({ _id: known }))?.expireAt ?? '') > isoTime(now());
    const counters: [string, Limit][] = isKnown
      ? [[pair, OF_PAIR]]
      : [
          [pair, OF_PAIR],
          [account, OF_ACCOUNT],
          [ofNetwork, OF_NETWORK],
        ];
    // Checked before counting: attempts that one counter refuses must not use up another one that
    // others share.
    for (const [_id] of counters) refuseUntil(await waitOf(_id));
    const counted: Counted[] = [];
    for (const [_id, limit] of counters) {
      const outcome = await count(_id, limit);
      if ('waitUntil' in outcome) {
        for (const each of counted) await uncount(each);
        throw tooMany(purpose, Date.parse(outcome.waitUntil) - now());
      }
      counted.push(outcome);
    }
    return {
      isKnown,
      attempts: Math.max(...counted.slice(0, 2).map(({ count }) => count)),
      async succeed() {
        const countedNetwork = counted[2];
        if (countedNetwork) await uncount(countedNetwork);
        await records.deleteMany({ _id: { $in: [account, pair] } });
        await records.updateOne(
          { _id: known },
          { $set: { expireAt: isoTime(now() + KNOWN_NETWORK_MS) } },
          { upsert: true },
        );
      },
    };
  };
}

function tooMany(purpose: Purpose, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('RATE_LIMITED', `Too many ${ATTEMPTS[purpose]}; try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
