import { AppError, isAppError, validationFailed } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { SessionCaller } from '@svcforms/http';
import type { LoginAttempt, UserRecord } from '@svcforms/identity';

/** Returns the user of a session. @throws AppError `UNAUTHORIZED` */
export type UserOf = (caller: SessionCaller) => Promise<UserRecord>;

export function createUserOf(users: Pick<Collection<UserRecord>, 'findOne'>): UserOf {
  return async (caller) => {
    const user = await users.findOne({ _id: caller.id });
    if (!user) throw new AppError('UNAUTHORIZED', 'The user was deleted');
    return user;
  };
}

/**
 * Verifies the password of a user with a session, under the limits of logins, and returns the user.
 * `pointer`: where the request has the password.
 * @throws AppError `VALIDATION_FAILED`, `RATE_LIMITED`
 */
export type CheckPassword = (attempt: Omit<LoginAttempt, 'site'>, pointer: string) => Promise<UserRecord>;

export function createCheckPassword(login: (attempt: LoginAttempt) => Promise<UserRecord>): CheckPassword {
  return (attempt, pointer) =>
    login({ ...attempt, site: null }).catch((error: unknown) => {
      if (!isAppError(error) || error.code !== 'UNAUTHORIZED') throw error;
      throw validationFailed([{ pointer, message: 'is not your password' }]);
    });
}
