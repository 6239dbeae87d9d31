import { AppError } from '@svcforms/contracts';
import { isDuplicateKey, type DocumentStore } from '@svcforms/document-store';
import { hash } from 'node:crypto';
import { LOGIN_FAILURES, type LoginFailuresRecord } from './records.ts';

interface Limit {
  /** Attempts that nothing delays. */
  free: number;
  /** A count is forgotten so long after its last attempt. */
  keptMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An account from one network, an account from everywhere, and a network for all accounts. docs/adr/0025 */
const OF_PAIR: Limit = { free: 5, keptMs: 24 * HOUR_MS };
const OF_ACCOUNT: Limit = { free: 10, keptMs: 24 * HOUR_MS };
const OF_NETWORK: Limit = { free: 20, keptMs: HOUR_MS };
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** A network that the account has logged in from is known for so long. */
const KNOWN_MS = 90 * 24 * HOUR_MS;
/** Each round, one of those who count at the same time gets through, and a limit ends the race. */
const TRIES = 100;

/** The pause after the `count`-th attempt in milliseconds: none, then 1, 2, 4, 8 and at most 15 minutes. */
export function delayAfter(count: number, { free }: Pick<Limit, 'free'>): number {
  return count < free ? 0 : Math.min(MINUTE_MS * 2 ** (count - free), LONGEST_DELAY_MS);
}

/** One attempt as one counter has it. */
interface Counted {
  _id: string;
  count: number;
  nextAt: string;
  /** What `nextAt` was before. */
  allowedAt: string;
}

/** A login attempt that may go on to check the password. */
export interface LoginTicket {
  /** On whose behalf the password is hashed: the network, or the account on a network that it has logged in from. */
  caller: string;
  /** Attempts of this account since its last login. */
  attempts: number;
  /** The password was right: the account's counts end, and the network is known to be the account's. */
  succeed(): Promise<void>;
}

/**
 * Counts login attempts in the store before their passwords are hashed, so that attempts at the same time, on however many
 * processes, can't exceed a limit. An attempt on a network that the account has logged in from isn't counted for the account as
 * a whole nor for the network: strangers can't lock the user out there.
 */
export function createLoginLimits({ store, now }: { store: DocumentStore; now: () => number }) {
  const records = store.collection<LoginFailuresRecord>(LOGIN_FAILURES);
  const iso = (offsetMs = 0) => new Date(now() + offsetMs).toISOString();

  /** @returns the time until which the caller has to wait instead. */
  async function count(_id: string, limit: Limit): Promise<Counted | { waitUntil: string }> {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await records.findOne({ _id });
      const isKept = found !== null && found.expireAt > iso();
      const allowedAt = (isKept ? found.nextAt : undefined) ?? '';
      if (allowedAt > iso()) return { waitUntil: allowedAt };
      const next = ((isKept ? found.count : undefined) ?? 0) + 1;
      const values = { count: next, nextAt: iso(delayAfter(next, limit)), expireAt: iso(limit.keptMs) };
      const asFound = { _id, count: found?.count ?? null, nextAt: found?.nextAt ?? null };
      const isCounted = found
        ? await records.updateOne(asFound, { $set: values })
        : await insert(_id, values);
      if (isCounted) return { _id, count: next, nextAt: values.nextAt, allowedAt };
    }
    return { waitUntil: iso(1000) };
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

  /** Until when the counter takes no attempts; empty: it does. */
  async function waitOf(_id: string): Promise<string> {
    const found = await records.findOne({ _id });
    return found && found.expireAt > iso() ? (found.nextAt ?? '') : '';
  }

  function refuseUntil(nextAt: string): void {
    if (nextAt > iso()) throw tooMany(Date.parse(nextAt) - now());
  }

  /** Takes an attempt back. Where others were counted since, their delay stays. */
  async function uncount({ _id, count, nextAt, allowedAt }: Counted): Promise<void> {
    const before = { count: count - 1, nextAt: allowedAt };
    if (await records.updateOne({ _id, count, nextAt }, { $set: before })) return;
    await records.updateOne({ _id, count: { $gt: 0 } }, { $inc: { count: -1 } });
  }

  /**
   * @param network As `clientNetwork` names it.
   * @throws AppError `RATE_LIMITED`; then nothing was counted.
   */
  return async function take({ email, network }: { email: string; network: string }): Promise<LoginTicket> {
    const pair = nameOf('pair', email, network);
    const known = nameOf('known', email, network);
    const account = nameOf('account', email);
    const ofNetwork = nameOf('network', network);
    const isKnown = ((await records.findOne({ _id: known }))?.expireAt ?? '') > iso();
    const counters: [string, Limit][] = isKnown
      ? [[pair, OF_PAIR]]
      : [
          [pair, OF_PAIR],
          [account, OF_ACCOUNT],
          [ofNetwork, OF_NETWORK],
        ];
    // Before anything is counted: attempts that one counter refuses must not use up another, which others share.
    for (const [_id] of counters) refuseUntil(await waitOf(_id));
    const counted: Counted[] = [];
    for (const [_id, limit] of counters) {
      const outcome = await count(_id, limit);
      if ('waitUntil' in outcome) {
        for (const each of counted) await uncount(each);
        throw tooMany(Date.parse(outcome.waitUntil) - now());
      }
      counted.push(outcome);
    }
    return {
      caller: isKnown ? pair : ofNetwork,
      attempts: Math.max(...counted.slice(0, 2).map(({ count }) => count)),
      async succeed() {
        const countedNetwork = counted[2];
        if (countedNetwork) await uncount(countedNetwork);
        await records.deleteMany({ _id: { $in: [account, pair] } });
        await records.updateOne({ _id: known }, { $set: { expireAt: iso(KNOWN_MS) } }, { upsert: true });
      },
    };
  };
}

function nameOf(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

function tooMany(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('RATE_LIMITED', `Too many failed logins; try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
