import {
  AppError,
  isAppError,
  validationFailed,
  type LoginIn,
  type MeOut,
  type MePatch,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { sessionCookie, type Reply, type RouteRequest, type SessionCaller } from '@svcforms/http-kit';
import {
  hashPassword,
  scopesByName,
  scopesOfRole,
  SESSION_SECONDS,
  type AccountRecord,
  type LoginAttempt,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import { accountOut, userOut } from './account-out.ts';

export interface LoginDeps {
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  sessions: Pick<Sessions, 'open' | 'end' | 'endAll'>;
  /** The user with that e-mail and password. @throws AppError */
  login: (attempt: LoginAttempt) => Promise<UserRecord>;
  /** The public origin. */
  baseUrl: string;
}

/** Logging in and out of the dashboard. contract: api.md §2 */
export function createLogins({ accounts, users, sessions, login, baseUrl }: LoginDeps) {
  async function meOut(user: UserRecord): Promise<MeOut> {
    const account = await accounts.findOne({ _id: user.accountId });
    if (!account) throw new AppError('NOT_FOUND', 'The account of this user is gone');
    const scopes = scopesByName({ scopes: new Set(scopesOfRole(user.role)) });
    return { ...userOut(user), account: accountOut(account), scopes };
  }

  async function userOf(caller: SessionCaller): Promise<UserRecord> {
    const user = await users.findOne({ _id: caller.id });
    if (!user) throw new AppError('UNAUTHORIZED', 'The user was deleted');
    return user;
  }

  /** The user as the password was found right; tried as a login is, and as seldom. @throws AppError `VALIDATION_FAILED`, `RATE_LIMITED` */
  async function checkPassword(attempt: LoginAttempt): Promise<UserRecord> {
    return login(attempt).catch((error: unknown) => {
      if (!isAppError(error) || error.code !== 'UNAUTHORIZED') throw error;
      throw validationFailed([{ pointer: '/currentPassword', message: 'is not your password' }]);
    });
  }

  return {
    login: async ({ body, ip, note }: RouteRequest<unknown, LoginIn, null>): Promise<Reply> => {
      const user = await login({ ...body, ip });
      const { token } = await sessions.open(user);
      note({ event: 'user.logged_in', accountId: user.accountId, callerId: user._id });
      return {
        data: await meOut(user),
        headers: { 'Set-Cookie': sessionCookie(token, { baseUrl, maxAgeSeconds: SESSION_SECONDS }) },
      };
    },

    logout: async ({ caller }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      await sessions.end(caller.session.sessionId);
      return { headers: { 'Set-Cookie': sessionCookie('', { baseUrl, maxAgeSeconds: 0 }) } };
    },

    me: async ({ caller }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      return { data: await meOut(await userOf(caller)) };
    },

    changeMe: async (request: RouteRequest<unknown, MePatch, SessionCaller>): Promise<Reply> => {
      const { body, caller, ip, note } = request;
      const { password, currentPassword = '', ...rest } = body;
      const user = await userOf(caller);
      const proven = password !== undefined && {
        // Of two who set another password at once, both knowing this one, the first does.
        passwordHash: (await checkPassword({ email: user.email, password: currentPassword, ip }))
          .passwordHash,
      };
      const change = {
        ...rest,
        ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
      };
      const isChange = Object.keys(change).length > 0;
      const changed = isChange
        ? await users.findOneAndUpdate({ _id: user._id, ...proven }, { $set: change })
        : user;
      if (!changed)
        throw new AppError('CONFLICT', 'The password was changed, or the user deleted, meanwhile');
      if (password !== undefined) await sessions.endAll(user._id, caller.session.sessionId);
      note({ event: 'user.changed', userId: user._id });
      return { data: await meOut(changed) };
    },
  };
}
