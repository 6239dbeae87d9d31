import { AppError, validationFailed, type TotpConfirmIn, type TotpOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { auditUser, type Reply, type RouteRequest, type SessionCaller } from '@svcforms/http';
import type { AccountRecord, Sessions, Totp, UserRecord } from '@svcforms/identity';
import type { UserOf } from './check-password.ts';
import type { CheckPasswordAllowed } from './single-sign-on.ts';

interface OwnTotpDeps {
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  sessions: Pick<Sessions, 'endAll'>;
  totp: Totp;
  userOf: UserOf;
  checkPasswordAllowed: CheckPasswordAllowed;
}

type Request<B = unknown> = RouteRequest<unknown, B, SessionCaller>;

/**
 * Two-factor authentication of the caller.
 * docs/reference/authentication.md#two-factor-authentication
 */
export function createOwnTotp(deps: OwnTotpDeps) {
  const { accounts, sessions, totp, userOf, checkPasswordAllowed } = deps;

  async function isRequired({ accountId }: UserRecord): Promise<boolean> {
    return (await accounts.findOne({ _id: accountId }))?.secondFactorRequired === true;
  }

  return {
    get: async ({ caller }: Request): Promise<Reply> => {
      const user = await userOf(caller);
      const data: TotpOut = {
        isEnabled: user.totp !== undefined,
        enabledAt: user.totp?.enabledAt ?? null,
        recoveryCodesLeft: user.totp ? await totp.recoveryCodesLeft(user._id) : 0,
        isRequired: await isRequired(user),
      };
      return { data };
    },

    begin: async ({ caller, audit }: Request): Promise<Reply> => {
      const user = await userOf(caller);
      // The identity provider checks second factors then.
      await checkPasswordAllowed(user);
      const setup = await totp.begin(user);
      if (!setup) throw new AppError('CONFLICT', 'Two-factor authentication is on. Turn it off first.');
      // Nothing has changed before it is confirmed.
      audit(null);
      return { data: setup };
    },

    confirm: async ({ body, caller, note, audit }: Request<TotpConfirmIn>): Promise<Reply> => {
      const user = await userOf(caller);
      await checkPasswordAllowed(user);
      if (user.totp) throw new AppError('CONFLICT', 'Two-factor authentication is on already');
      if (user.totpPending === undefined) {
        throw new AppError('CONFLICT', 'Start with POST /api/auth/totp, which returns the secret');
      }
      const recoveryCodes = await totp.confirm(user, body.code.replace(/\s/g, ''));
      if (!recoveryCodes) {
        throw validationFailed([
          { pointer: '/code', message: "is not the app's current code; check the time of the device" },
        ]);
      }
      audit({ target: auditUser(user) });
      // They were opened without a second factor.
      await sessions.endAll(user._id, caller.session.sessionId);
      note({ event: 'totp.enabled', userId: user._id });
      return { data: { recoveryCodes } };
    },

    newRecoveryCodes: async ({ caller, note, audit }: Request): Promise<Reply> => {
      const user = await userOf(caller);
      if (!user.totp) throw new AppError('CONFLICT', 'Two-factor authentication is off');
      const recoveryCodes = await totp.replaceRecoveryCodes(user);
      note({ event: 'totp.recovery_codes_replaced', userId: user._id });
      audit({ target: auditUser(user) });
      return { data: { recoveryCodes } };
    },

    disable: async ({ caller, note, audit }: Request): Promise<Reply> => {
      const user = await userOf(caller);
      if (await isRequired(user)) {
        throw new AppError('CONFLICT', 'Your account requires two-factor authentication');
      }
      if (!(await totp.disable(user))) throw new AppError('CONFLICT', 'Two-factor authentication is off');
      note({ event: 'totp.disabled', userId: user._id });
      audit({ target: auditUser(user) });
      return {};
    },
  };
}
