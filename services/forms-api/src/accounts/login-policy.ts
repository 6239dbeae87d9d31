import { AppError, type LoginPolicyPatch } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, type Reply, type RouteRequest } from '@svcforms/http';
import {
  hasOwnerWithIdentity,
  isIdentityOf,
  rightsOfRole,
  type AccountRecord,
  type Caller,
  type RightsOf,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { accountOut } from './account-out.ts';
import { checkRights } from './grants.ts';
import type { SingleSignOn } from './single-sign-on.ts';

interface LoginPolicyDeps {
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  rights: RightsOf;
  sessions: Pick<Sessions, 'endPasswordSessions'>;
  /** The identity provider; `null` without one. */
  singleSignOn: SingleSignOn | null;
  now: Clock;
}

/** How users of the account log in. Only owners change it. */
export function createLoginPolicy(deps: LoginPolicyDeps) {
  const { accounts, users, rights, sessions, singleSignOn, now } = deps;

  /**
   * Owners must not require of others what they don't have themselves. @throws AppError `CONFLICT`
   */
  async function checkOwnTotp(caller: Caller): Promise<void> {
    if (!caller.session) return;
    const self = await users.findOne({ _id: caller.id });
    if (!self?.totp) throw new AppError('CONFLICT', 'Set up two-factor authentication for yourself first');
  }

  /**
   * Only an owner whose login with the provider worked may require it of everybody: otherwise
   * nobody might be able to log in. An API key proves no login. ADR 0062
   * @throws AppError `CONFLICT`, `INSUFFICIENT_SCOPE`
   */
  async function checkOwnIdentity(caller: Caller): Promise<void> {
    if ((await singleSignOn?.accountId()) !== caller.accountId) {
      throw new AppError(
        'CONFLICT',
        'This installation has no identity provider for your account. Its operator configures one with SVC_OIDC_ISSUER, SVC_OIDC_CLIENT_ID and SVC_OIDC_ACCOUNT.',
      );
    }
    if (!caller.session) {
      throw new AppError(
        'INSUFFICIENT_SCOPE',
        "Only an owner who is logged in with single sign-on can require it. API keys can't.",
        { members: { requiredScope: 'session' } },
      );
    }
    const self = await users.findOne({ _id: caller.id });
    if (caller.session.via !== 'oidc' || !self || !isIdentityOf(self, singleSignOn?.issuer ?? '')) {
      throw new AppError(
        'CONFLICT',
        'Log in with single sign-on yourself first, at /api/auth/oidc/start: that shows that it works',
      );
    }
  }

  /**
   * Ends what passwords opened, or takes the requirement back if it leaves no owner who can log in.
   * @throws AppError `CONFLICT` if it does
   */
  async function applyRequirement(accountId: string, onTakenBack: () => void): Promise<void> {
    const issuer = singleSignOn?.issuer ?? '';
    // Read after the write, so a concurrent request that removes the owner sees the write.
    if (!(await hasOwnerWithIdentity(users, { accountId, issuer, now: now() }))) {
      await accounts.updateOne({ _id: accountId }, { $set: { singleSignOnRequired: false } });
      onTakenBack();
      throw new AppError('CONFLICT', 'Another request is changing the owners. Try again.');
    }
    await sessions.endPasswordSessions(accountId);
  }

  return {
    change: async (request: RouteRequest<unknown, LoginPolicyPatch>): Promise<Reply> => {
      const { body, caller, note, audit } = request;
      checkRights(caller, await rights.ofCaller(caller), rightsOfRole('owner'), 'Changing the login policy');
      if (body.secondFactorRequired === true) await checkOwnTotp(caller);
      const _id = caller.accountId;
      const current = await accounts.findOne({ _id });
      if (!current) throw new AppError('NOT_FOUND', 'The account was deleted');
      const isTurnedOn = body.singleSignOnRequired === true && current.singleSignOnRequired !== true;
      if (isTurnedOn) await checkOwnIdentity(caller);
      const before = await accounts.findOneAndUpdate({ _id }, { $set: { ...body } }, { returning: 'before' });
      if (!before) throw new AppError('NOT_FOUND', 'The account was deleted');
      const after: AccountRecord = { ...before, ...body };
      const changes = changesBetween(before, after, {
        names: ['secondFactorRequired', 'singleSignOnRequired'],
      });
      audit({ target: { id: _id, name: after.name }, changes });
      const { singleSignOnRequired: _, ...kept } = changes;
      const auditKept = () => audit(Object.keys(kept).length > 0 ? { changes: kept } : null);
      if (isTurnedOn) await applyRequirement(_id, auditKept);
      note({ event: 'account.login_policy_changed', accountId: after._id });
      return { data: accountOut(after) };
    },
  };
}
