import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import {
  passwordProblem,
  SESSIONS,
  updateOfUser,
  USERS,
  type PasswordHasher,
  type SessionRecord,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import type { CommandChange } from './audit-command.ts';
import { UsageError } from './usage-error.ts';

interface SetPasswordDeps {
  store: DocumentStore;
  announceChanges: () => Promise<void>;
  passwords: Pick<PasswordHasher, 'hash'>;
  audit: (change: CommandChange) => Promise<void>;
  now: Clock;
}

/**
 * Sets the password of a user who forgot it, where no email can reset it. Ends all sessions of the
 * user, who gets an email about it. `given`: absent to generate one.
 * @returns the user, and the generated password
 * @throws AppError `NOT_FOUND`, UsageError
 */
export async function setPassword(
  { store, announceChanges, passwords, audit, now }: SetPasswordDeps,
  email: string,
  given: string | undefined,
): Promise<{ user: UserRecord; generated?: string }> {
  const users = store.collection<UserRecord>(USERS);
  const sessions = store.collection<SessionRecord>(SESSIONS);
  const user = await users.findOne({ email: email.toLowerCase() });
  if (!user) throw new AppError('NOT_FOUND', `There is no user with the email ${email}`);
  const problem = given !== undefined && (await passwordProblem(given, [user.email, user.name]));
  if (problem) throw new UsageError(`the password ${problem}`);
  const password = given ?? generateToken('');
  const change = {
    passwordHash: await passwords.hash(password),
    ...(given === undefined && { mustChangePassword: true }),
  };
  await users.updateOne({ _id: user._id }, updateOfUser(user, change, isoTime(now())));
  await sessions.deleteMany({ userId: user._id });
  await announceChanges();
  await audit({
    accountId: user.accountId,
    action: 'user.updated',
    target: { id: user._id, name: user.name },
    changes: { password: {} },
  });
  return { user, ...(given === undefined ? { generated: password } : {}) };
}
