import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { createLoginLimits } from './login-limits.ts';
import { createPasswordHasher, type PasswordHasher } from './password.ts';
import { USERS, type UserRecord } from './records.ts';
import { withNotices } from './user-notices.ts';

/** So many failures since the last login are worth an email, one a day. */
const TELL_AFTER = 5;
const TELL_EVERY_MS = 24 * 3600_000;

export interface LoginAttempt {
  /** Lower case. */
  email: string;
  password: string;
  /** Where it comes from, as `clientNetwork` names it. */
  network: string;
}

/**
 * Who logs in with an email address and a password. An address that nobody has is answered like a wrong password, and takes as
 * long. Attempts are limited before anything is hashed; see `createLoginLimits`.
 */
export function createLogin({
  store,
  passwords = createPasswordHasher(),
  now = Date.now,
}: {
  store: DocumentStore;
  passwords?: Pick<PasswordHasher, 'verify'>;
  now?: () => number;
}) {
  const users = store.collection<UserRecord>(USERS);
  const take = createLoginLimits({ store, now });

  /** Also for an address that nobody has, so that the time doesn't tell. */
  async function tellOfFailures(email: string): Promise<void> {
    const at = new Date(now()).toISOString();
    const dayAgo = new Date(now() - TELL_EVERY_MS).toISOString();
    await users.updateOne(
      { email, $or: [{ toldOfFailuresAt: null }, { toldOfFailuresAt: { $lte: dayAgo } }] },
      withNotices({ $set: { toldOfFailuresAt: at } }, [{ kind: 'login_failures', at, to: [email] }]),
    );
  }

  /** @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`, `UNAVAILABLE` */
  return async function login({ email, password, network }: LoginAttempt): Promise<UserRecord> {
    const ticket = await take({ email, network });
    const user = await users.findOne({ email });
    const isRight = await passwords.verify(password, user?.passwordHash, ticket.who);
    if (user && isRight) {
      await ticket.succeed();
      return user;
    }
    if (ticket.attempts >= TELL_AFTER) await tellOfFailures(email);
    throw new AppError('UNAUTHORIZED', 'The e-mail address or the password is wrong', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  };
}
