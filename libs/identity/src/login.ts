import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { createHash } from 'node:crypto';
import { verifyPassword } from './password.ts';
import { LOGIN_FAILURES, USERS, type LoginFailuresRecord, type UserRecord } from './records.ts';

/** contract: api.md §2 */
const MAX_FAILURES = 5;
const WINDOW_MS = 60_000;

export interface LoginAttempt {
  /** Lower case. */
  email: string;
  password: string;
  ip: string;
}

/**
 * Who logs in with an e-mail address and a password. An address that nobody has is answered like a wrong password, and takes
 * as long. Five wrong ones within a minute from one IP address, and that address has to wait: with the right one, too.
 */
export function createLogin({ store, now = Date.now }: { store: DocumentStore; now?: () => number }) {
  const users = store.collection<UserRecord>(USERS);
  const failures = store.collection<LoginFailuresRecord>(LOGIN_FAILURES);
  /** One after the other for each address, so that many at once can't try more than their five. */
  const queues = new Map<string, Promise<unknown>>();

  async function refuseAfterFailures(_id: string): Promise<void> {
    const found = await failures.findOne({ _id });
    const first = found?.at.at(-MAX_FAILURES);
    if (found === null || first === undefined || found.at.length < MAX_FAILURES) return;
    const waitMs = Date.parse(first) + WINDOW_MS - now();
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('RATE_LIMITED', `Too many wrong passwords; try again in ${seconds} s`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  async function countFailure(_id: string): Promise<void> {
    await failures.updateOne(
      { _id },
      {
        $push: { at: { $each: [new Date(now()).toISOString()], $slice: -MAX_FAILURES } },
        $set: { expireAt: new Date(now() + WINDOW_MS).toISOString() },
      },
      { upsert: true },
    );
  }

  async function attempt(_id: string, { email, password }: LoginAttempt): Promise<UserRecord> {
    await refuseAfterFailures(_id);
    const user = await users.findOne({ email });
    const isRight = await verifyPassword(password, user?.passwordHash);
    if (user && isRight) return user;
    await countFailure(_id);
    throw new AppError('UNAUTHORIZED', 'The e-mail address or the password is wrong', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }

  /** @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`, `UNAVAILABLE` */
  return async function login(given: LoginAttempt): Promise<UserRecord> {
    const _id = createHash('sha256')
      .update(JSON.stringify([given.email, given.ip]))
      .digest('hex');
    const before = queues.get(_id);
    const own = (before ?? Promise.resolve()).then(
      () => attempt(_id, given),
      () => attempt(_id, given),
    );
    queues.set(_id, own);
    try {
      return await own;
    } finally {
      if (queues.get(_id) === own) queues.delete(_id);
    }
  };
}
