import {
  AppError,
  isAppError,
  type LoginIn,
  type ReauthenticateIn,
  type SecondFactorIn,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import {
  auditActor,
  auditUser,
  clientNetwork,
  clientSite,
  sessionCookie,
  type Reply,
  type RouteRequest,
  type SessionCaller,
} from '@svcforms/http';
import {
  expiredLogin,
  type createSecondStep,
  type LoginAttempt,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import type { CheckPassword, UserOf } from './check-password.ts';
import type { OpenSession } from './open-session.ts';
import type { CheckPasswordAllowed } from './single-sign-on.ts';

interface LoginDeps {
  users: Collection<UserRecord>;
  sessions: Pick<Sessions, 'end' | 'reauthenticated'>;
  openSession: OpenSession;
  secondStep: ReturnType<typeof createSecondStep>;
  /** Returns the user with that email and password. @throws AppError */
  login: (attempt: LoginAttempt) => Promise<UserRecord>;
  checkPassword: CheckPassword;
  checkPasswordAllowed: CheckPasswordAllowed;
  userOf: UserOf;
  /** The public origin. */
  baseUrl: string;
}

type LoginRequest = RouteRequest<unknown, LoginIn, null>;

/** Login and logout of users. docs/reference/authentication.md#sessions */
export function createLogins(deps: LoginDeps) {
  const { users, sessions, openSession, secondStep, login, baseUrl } = deps;
  const { checkPassword, checkPasswordAllowed, userOf } = deps;

  /**
   * Adds a failed login to the audit log of the user's account. The response doesn't wait for it,
   * so that its duration doesn't reveal whether the user exists. A row that can't be stored is
   * logged.
   */
  async function recordFailure({ body, recordAudit }: LoginRequest): Promise<void> {
    const user = await users.findOne({ email: body.email });
    if (user) await recordFailureOf(user, recordAudit);
  }

  async function recordFailureOf(user: UserRecord, recordAudit: LoginRequest['recordAudit']): Promise<void> {
    await recordAudit({
      accountId: user.accountId,
      actor: { type: 'anonymous', id: null, name: null },
      action: 'login.failed',
      target: auditUser(user),
    });
  }

  /** @throws AppError `SINGLE_SIGN_ON_REQUIRED` */
  async function refuseIfNotAllowed(
    user: UserRecord,
    { recordAudit }: Pick<LoginRequest, 'recordAudit'>,
  ): Promise<void> {
    await checkPasswordAllowed(user).catch(async (error: unknown) => {
      await recordFailureOf(user, recordAudit);
      throw error;
    });
  }

  return {
    login: async (request: LoginRequest): Promise<Reply> => {
      const { body, ip, note, audit } = request;
      const attempt = { ...body, network: clientNetwork(ip), site: clientSite(ip) };
      const user = await login(attempt).catch((error: unknown) => {
        if (isAppError(error) && error.code === 'UNAUTHORIZED') void recordFailure(request).catch(() => {});
        throw error;
      });
      // After the password, so that nobody else learns how the account logs in.
      await refuseIfNotAllowed(user, request);
      if (user.totp) {
        throw new AppError('SECOND_FACTOR_REQUIRED', 'Send a code to POST /api/auth/login/second-factor', {
          members: { challenge: await secondStep.challenge(user) },
        });
      }
      const reply = await openSession(request, user);
      note({ event: 'user.logged_in', accountId: user.accountId, callerId: user._id });
      const self = auditUser(user);
      audit({ accountId: user.accountId, actor: self, target: self });
      return reply;
    },

    /** The second step, with a code. */
    secondFactor: async (request: RouteRequest<unknown, SecondFactorIn, null>): Promise<Reply> => {
      const { body, ip, note, audit, recordAudit } = request;
      const user = await secondStep.userOf(body.challenge);
      if (!user) throw expiredLogin();
      await refuseIfNotAllowed(user, request);
      const attempt = { ...body, network: clientNetwork(ip) };
      const factor = await secondStep.complete(user, attempt).catch(async (error: unknown) => {
        if (isAppError(error) && error.code === 'UNAUTHORIZED') await recordFailureOf(user, recordAudit);
        throw error;
      });
      const reply = await openSession(request, user);
      note({ event: 'user.logged_in', accountId: user.accountId, callerId: user._id, factor });
      const self = auditUser(user);
      audit({
        accountId: user.accountId,
        actor: self,
        target: self,
        changes: { secondFactor: { to: factor } },
      });
      return reply;
    },

    /** Confirms the password, for calls that need a recent login. */
    reauthenticate: async (
      request: RouteRequest<unknown, ReauthenticateIn, SessionCaller>,
    ): Promise<Reply> => {
      const { body, caller, ip, note, audit } = request;
      const user = await userOf(caller);
      await checkPasswordAllowed(user);
      await checkPassword(
        { email: user.email, password: body.password, network: clientNetwork(ip) },
        '/password',
      );
      await sessions.reauthenticated(caller.session.sessionId);
      note({ event: 'session.reauthenticated', userId: caller.id });
      audit({ target: auditActor(caller) });
      return {};
    },

    logout: async ({ caller, audit }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      await sessions.end(caller.session.sessionId);
      audit({ target: auditActor(caller) });
      return { headers: { 'Set-Cookie': sessionCookie('', { baseUrl, maxAgeSeconds: 0 }) } };
    },
  };
}
