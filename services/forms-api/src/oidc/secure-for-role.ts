import type { Role } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import {
  missingRights,
  rightsOfRole,
  SLACK_CONNECTION,
  updateOfUser,
  type PasswordHasher,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import type { EndCredentials } from '../accounts/end-credentials.ts';

export interface SecureForRoleDeps {
  users: Collection<UserRecord>;
  passwords: Pick<PasswordHasher, 'hash'>;
  endCredentials: EndCredentials;
  now: Clock;
}

/**
 * Before the provider gives a user a role: if somebody with fewer rights than that chose the email
 * address or the password, only the login at the provider is certain to be the person's own, so
 * every other way in ends. A reviewer could have entered the address of an owner who has never
 * logged in. docs/reference/authentication.md#single-sign-on
 * @returns the user; `null` if another request has changed it
 */
export function createSecureForRole({ users, passwords, endCredentials, now }: SecureForRoleDeps) {
  return async function secureForRole(user: UserRecord, role: Role): Promise<UserRecord | null> {
    const { credentialsFrom } = user;
    if (credentialsFrom === undefined) return user;
    if (missingRights(rightsOfRole(credentialsFrom), rightsOfRole(role)).length === 0) return user;
    // Nobody knows it. A password reset sets one.
    const passwordHash = await passwords.hash(generateToken(''), user.accountId);
    const update = updateOfUser(user, { passwordHash }, isoTime(now()));
    const ended = {
      credentialsFrom: true,
      totp: true,
      totpPending: true,
      ...SLACK_CONNECTION,
    } as const;
    const secured = await users.findOneAndUpdate(
      { _id: user._id, email: user.email, role: user.role },
      { ...update, $unset: { ...update.$unset, ...ended } },
    );
    if (!secured) return null;
    await endCredentials(user._id);
    return secured;
  };
}
