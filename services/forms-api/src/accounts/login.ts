import { AppError, type LoginIn, type MeOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { sessionCookie, type Reply, type RouteRequest, type SessionCaller } from '@svcforms/http-kit';
import {
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
  sessions: Pick<Sessions, 'open' | 'end'>;
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
      const user = await users.findOne({ _id: caller.id });
      if (!user) throw new AppError('UNAUTHORIZED', 'The user was deleted');
      return { data: await meOut(user) };
    },
  };
}
