import {
  AppError,
  isAppError,
  validationFailed,
  type LoginIn,
  type MeOut,
  type MePatch,
  type ReauthenticateIn,
} from '@svcforms/contracts';
import { isDuplicateKey, type Collection, type Filter } from '@svcforms/document-store';
import {
  clientNetwork,
  sessionCookie,
  type Reply,
  type RouteRequest,
  type SessionCaller,
} from '@svcforms/http';
import {
  noticesOfChange,
  scopesByName,
  scopesOfRole,
  SESSION_SECONDS,
  withNotices,
  type AccountRecord,
  type LoginAttempt,
  type PasswordHasher,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { accountOut, userOut } from './account-out.ts';
import { checkNewPassword } from './new-password.ts';
import { emailTaken, userChanges } from './users.ts';

interface LoginDeps {
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  sessions: Pick<Sessions, 'open' | 'end' | 'endAll' | 'reauthenticated'>;
  /** Returns the user with that email and password. @throws AppError */
  login: (attempt: LoginAttempt) => Promise<UserRecord>;
  passwords: Pick<PasswordHasher, 'hash'>;
  /** The public origin. */
  baseUrl: string;
  now: Clock;
}

type LoginRequest = RouteRequest<unknown, LoginIn, null>;

/** Login and logout of users. docs/reference/authentication.md#sessions */
export function createLogins({ accounts, users, sessions, login, passwords, baseUrl, now }: LoginDeps) {
  async function meOut(user: UserRecord): Promise<MeOut> {
    const account = await accounts.findOne({ _id: user.accountId });
    if (!account) throw new AppError('NOT_FOUND', 'The account of this user was deleted');
    const scopes = scopesByName({ scopes: new Set(scopesOfRole(user.role)) });
    return { ...userOut(user), account: accountOut(account), scopes };
  }

  async function userOf(caller: SessionCaller): Promise<UserRecord> {
    const user = await users.findOne({ _id: caller.id });
    if (!user) throw new AppError('UNAUTHORIZED', 'The user was deleted');
    return user;
  }

  /** Verifies a password under the limits of logins. @throws AppError `VALIDATION_FAILED`, `RATE_LIMITED` */
  async function checkPassword(attempt: LoginAttempt, pointer: string): Promise<UserRecord> {
    return login(attempt).catch((error: unknown) => {
      if (!isAppError(error) || error.code !== 'UNAUTHORIZED') throw error;
      throw validationFailed([{ pointer, message: 'is not your password' }]);
    });
  }

  /**
   * Adds a failed login to the audit log of the user's account. The response doesn't wait for it, so that its duration doesn't
   * reveal whether the user exists. A row that can't be stored is logged.
   */
  async function recordFailure({ body, recordAudit }: LoginRequest): Promise<void> {
    const user = await users.findOne({ email: body.email });
    if (!user) return;
    await recordAudit({
      accountId: user.accountId,
      actor: { type: 'anonymous', id: null, name: null },
      action: 'login.failed',
      target: { type: 'user', id: user._id, name: user.name },
    });
  }

  async function save(
    filter: Filter<UserRecord>,
    user: UserRecord,
    change: Partial<UserRecord>,
  ): Promise<UserRecord | null> {
    const notices = noticesOfChange(user, change, new Date(now()).toISOString());
    try {
      return await users.findOneAndUpdate(filter, withNotices({ $set: change }, notices));
    } catch (error) {
      throw isDuplicateKey(error) ? emailTaken(error) : error;
    }
  }

  return {
    login: async (request: LoginRequest): Promise<Reply> => {
      const { body, ip, headers, note, audit } = request;
      const user = await login({ ...body, network: clientNetwork(ip) }).catch((error: unknown) => {
        if (isAppError(error) && error.code === 'UNAUTHORIZED') void recordFailure(request).catch(() => {});
        throw error;
      });
      const userAgent = headers['user-agent'];
      const { token } = await sessions.open(user, { ip, ...(userAgent === undefined ? {} : { userAgent }) });
      note({ event: 'user.logged_in', accountId: user.accountId, callerId: user._id });
      const self = { type: 'user', id: user._id, name: user.name } as const;
      audit({ accountId: user.accountId, actor: self, target: self });
      return {
        data: await meOut(user),
        headers: { 'Set-Cookie': sessionCookie(token, { baseUrl, maxAgeSeconds: SESSION_SECONDS }) },
      };
    },

    /** Confirms the password, for calls that need a recent login. */
    reauthenticate: async (
      request: RouteRequest<unknown, ReauthenticateIn, SessionCaller>,
    ): Promise<Reply> => {
      const { body, caller, ip, note, audit } = request;
      const { email } = await userOf(caller);
      await checkPassword({ email, password: body.password, network: clientNetwork(ip) }, '/password');
      await sessions.reauthenticated(caller.session.sessionId);
      note({ event: 'session.reauthenticated', userId: caller.id });
      audit({ target: { id: caller.id, type: 'user', name: caller.name ?? null } });
      return {};
    },

    logout: async ({ caller, audit }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      audit({ target: { type: 'user', id: caller.id, name: caller.name ?? null } });
      await sessions.end(caller.session.sessionId);
      return { headers: { 'Set-Cookie': sessionCookie('', { baseUrl, maxAgeSeconds: 0 }) } };
    },

    me: async ({ caller }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      return { data: await meOut(await userOf(caller)) };
    },

    changeMe: async (request: RouteRequest<unknown, MePatch, SessionCaller>): Promise<Reply> => {
      const { body, caller, ip, note, audit } = request;
      const { password, currentPassword = '', ...rest } = body;
      const user = await userOf(caller);
      if (password !== undefined) await checkNewPassword(password, { ...user, ...rest });
      const needsProof = password !== undefined || rest.email !== undefined;
      const attempt = { email: user.email, password: currentPassword, network: clientNetwork(ip) };
      const proven = needsProof && {
        // Of two concurrent changes with the same old password, only the first succeeds.
        email: user.email,
        passwordHash: (await checkPassword(attempt, '/currentPassword')).passwordHash,
      };
      const change = {
        ...rest,
        ...(password === undefined ? {} : { passwordHash: await passwords.hash(password, caller.accountId) }),
      };
      const isChange = Object.keys(change).length > 0;
      const changed = isChange ? await save({ _id: user._id, ...proven }, user, change) : user;
      if (!changed)
        throw new AppError('CONFLICT', 'The user was changed or deleted by another request. Try again.');
      if (password !== undefined) await sessions.endAll(user._id, caller.session.sessionId);
      note({ event: 'user.changed', userId: user._id });
      audit({ changes: userChanges(user, changed) });
      return { data: await meOut(changed) };
    },
  };
}
