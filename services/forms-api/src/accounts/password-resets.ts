import {
  AppError,
  type LoginMethodsOut,
  type PasswordResetIn,
  type PasswordResetRequestIn,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { auditUser, clientNetwork, type Reply, type RouteRequest } from '@svcforms/http';
import type { createPasswordResets, PasswordHasher, Sessions, UserRecord } from '@svcforms/identity';
import { brokenLink } from './accept-invitation.ts';
import { checkNewPassword } from './new-password.ts';
import type { CheckPasswordAllowed, SingleSignOn } from './single-sign-on.ts';
import { userChanges } from './users.ts';

interface ForgottenPasswordsDeps {
  users: Pick<Collection<UserRecord>, 'findOne'>;
  resets: ReturnType<typeof createPasswordResets>;
  sessions: Pick<Sessions, 'endAll'>;
  passwords: Pick<PasswordHasher, 'hash'>;
  sendsEmail: boolean;
  /** The identity provider; `null` without one. */
  singleSignOn: SingleSignOn | null;
  checkPasswordAllowed: CheckPasswordAllowed;
}

type ResetRequest = RouteRequest<unknown, PasswordResetRequestIn, null>;

/** Forgotten passwords. docs/reference/authentication.md#forgotten-passwords */
export function createForgottenPasswords(deps: ForgottenPasswordsDeps) {
  const { users, resets, sessions, passwords, sendsEmail, singleSignOn, checkPasswordAllowed } = deps;

  /**
   * Adds the request to the audit log of the user's account. The response doesn't wait for it, so
   * that its duration doesn't reveal whether the user exists. A row that can't be stored is logged.
   */
  async function recordRequest({ body, recordAudit }: ResetRequest): Promise<void> {
    const user = await users.findOne({ email: body.email });
    if (!user) return;
    await recordAudit({
      accountId: user.accountId,
      actor: { type: 'anonymous', id: null, name: null },
      action: 'user.password_reset_requested',
      target: auditUser(user),
    });
  }

  return {
    methods: async (): Promise<Reply> => {
      const data: LoginMethodsOut = {
        passwordReset: sendsEmail ? 'email' : 'operator',
        singleSignOn: singleSignOn !== null,
      };
      return { data };
    },

    request: async (request: ResetRequest): Promise<Reply> => {
      const { body, ip, note } = request;
      if (!sendsEmail) {
        throw new AppError(
          'CONFLICT',
          'This installation sends no email. Ask its operator to set a password with the admin command "user set-password".',
        );
      }
      await resets.request({ email: body.email, network: clientNetwork(ip) });
      note({ event: 'user.password_reset_requested' });
      void recordRequest(request).catch(() => {});
      return {};
    },

    complete: async (request: RouteRequest<unknown, PasswordResetIn, null>): Promise<Reply> => {
      const { body, audit, note } = request;
      const user = await resets.find(body.token);
      if (!user) throw brokenLink();
      await checkPasswordAllowed(user);
      await checkNewPassword(body.password, user);
      const changed = await resets.complete(user, await passwords.hash(body.password, user.accountId));
      if (!changed) throw brokenLink();
      const self = auditUser(user);
      audit({
        accountId: user.accountId,
        actor: self,
        target: self,
        changes: userChanges(user, changed, { password: true }),
      });
      await sessions.endAll(user._id);
      note({ event: 'user.password_reset', userId: user._id });
      return {};
    },
  };
}
