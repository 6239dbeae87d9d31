import { AppError, type MeOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { sessionCookie, type Reply, type RouteRequest } from '@svcforms/http';
import {
  mustChangePassword,
  mustSetUpTotp,
  scopesByName,
  scopesOfSession,
  SESSION_SECONDS,
  type AccountRecord,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import { accountOut, userOut } from './account-out.ts';

/**
 * Opens a session of the user for the client of the request. Returns who they are, and the cookie.
 * @throws AppError `UNAUTHORIZED` if what the user logged in with doesn't count anymore
 */
export type OpenSession = (
  request: Pick<RouteRequest, 'ip' | 'headers'>,
  user: UserRecord,
  /** Absent for a login with a password. `authenticatedAt`: ISO 8601, if the provider says it. */
  from?: { via: 'oidc'; authenticatedAt?: string | undefined },
) => Promise<Reply>;

/** Returns the logged-in user with their account and scopes. */
export type DescribeMe = (user: UserRecord, session?: { via?: 'oidc' }) => Promise<MeOut>;

export function createDescribeMe({
  accounts,
}: {
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
}): DescribeMe {
  return async (user, session = {}) => {
    const account = await accounts.findOne({ _id: user.accountId });
    if (!account) throw new AppError('NOT_FOUND', 'The account of this user was deleted');
    const scopes = scopesByName({ scopes: new Set(scopesOfSession(user, account, session)) });
    return {
      ...userOut(user),
      account: accountOut(account),
      mustSetUpSecondFactor: mustSetUpTotp(user, account, session),
      scopes,
      loginMethod: session.via === 'oidc' ? 'single_sign_on' : 'password',
      ...(mustChangePassword(user, session) && { mustChangePassword: true as const }),
    };
  };
}

export function createOpenSession(deps: {
  sessions: Pick<Sessions, 'open' | 'end'>;
  users: Pick<Collection<UserRecord>, 'findOne'>;
  describeMe: DescribeMe;
  /** The public origin. */
  baseUrl: string;
}): OpenSession {
  const { sessions, users, describeMe, baseUrl } = deps;

  /**
   * Whether a login with this user's password, and code, still counts. Read after the session was
   * stored: a new password and a new second factor are stored before they end the sessions, so
   * either they end this one, or it is found here.
   */
  async function stillCounts({ _id, passwordHash, totp }: UserRecord): Promise<boolean> {
    const current = await users.findOne({ _id, passwordHash });
    return current !== null && (totp !== undefined || current.totp === undefined);
  }

  return async ({ ip, headers }, user, from) => {
    const userAgent = headers['user-agent'];
    const { token, sessionId } = await sessions.open(user, {
      ip,
      ...from,
      ...(userAgent === undefined ? {} : { userAgent }),
    });
    if (from === undefined && !(await stillCounts(user))) {
      await sessions.end(sessionId);
      throw new AppError('UNAUTHORIZED', 'The password or the second factor was changed. Log in again.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    return {
      data: await describeMe(user, from),
      headers: { 'Set-Cookie': sessionCookie(token, { baseUrl, maxAgeSeconds: SESSION_SECONDS }) },
    };
  };
}
