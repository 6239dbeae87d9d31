import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { createLoginLimits } from './login-limits.ts';
import { passwordHasher, type PasswordHasher } from './password.ts';
import { USERS, type UserRecord } from './records/user.ts';
import { withNotices } from './user-notices.ts';

/** The user gets an email after this many failures since the last login, at most one a day. */
const NOTIFY_AFTER = 5;
const NOTIFY_EVERY_MS = DAY_MS;

export interface LoginAttempt {
  /** Lower case. */
  email: string;
  password: string;
  /** The client's network, from `clientNetwork`. */
  network: string;
  /**
   * The client's site, from `clientSite`, whose attempts share a queue of hashes. `null` for a user
   * with a session, who doesn't wait with strangers.
   */
  site: string | null;
}

/**
 * Logs users in by email address and password. An unknown address gets the same response as a wrong
 * password, after the same time. Attempts are limited before the password is hashed; see
 * `createLoginLimits`.
 */
export function createLogin(deps: {
  store: DocumentStore;
  now?: Clock;
  passwords?: Pick<PasswordHasher, 'verify'>;
}) {
  const { store, now = Date.now, passwords = passwordHasher } = deps;
  const users = store.collection<UserRecord>(USERS);
  const take = createLoginLimits({ store, now });

  /**
   * Runs for unknown addresses too, so that the response time doesn't reveal which addresses exist.
   */
  async function notifyOfFailures(email: string): Promise<void> {
    const at = isoTime(now());
    const dayAgo = isoTime(now() - NOTIFY_EVERY_MS);
    await users.updateOne(
      { email, $or: [{ toldOfFailuresAt: null }, { toldOfFailuresAt: { $lte: dayAgo } }] },
      withNotices({ $set: { toldOfFailuresAt: at } }, [{ kind: 'login_failures', at, to: [email] }]),
    );
  }

  /** @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`, `UNAVAILABLE` */
  return async function login({ email, password, network, site }: LoginAttempt): Promise<UserRecord> {
    const ticket = await take({ email, network });
    const user = await users.findOne({ email });
    const caller =
      site === null || ticket.isKnown ? { id: email, isKnown: true } : { id: site, isKnown: false };
    const isRight = await passwords.verify(password, user?.passwordHash, caller);
    if (user && isRight) {
      await ticket.succeed();
      return user;
    }
    if (ticket.attempts >= NOTIFY_AFTER) await notifyOfFailures(email);
    throw new AppError('UNAUTHORIZED', 'The email address or the password is wrong', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  };
}
