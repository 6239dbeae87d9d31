import { isAppError, isBlank, newId, prefixOf, storableText, type Role } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import {
  deleteInvitationsOf,
  isIdentityOf,
  oidcSubjects,
  type AccountRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import { createInviterRole, type InviterRoleDeps } from '../accounts/inviter-role.ts';
import { createSaveUser, type LetGo } from '../accounts/save-user.ts';
import { oidcAccountId } from './oidc-account.ts';
import { roleFor, type OidcConfig } from './oidc-config.ts';
import { OidcError, type Claims } from './provider.ts';
import { createSecureForRole, type SecureForRoleDeps } from './secure-for-role.ts';

interface ProvisionDeps extends SecureForRoleDeps, InviterRoleDeps {
  config: OidcConfig;
  accounts: Pick<Collection<AccountRecord>, 'find' | 'findOne'>;
  users: Collection<UserRecord>;
  invitations: Pick<Collection<InvitationRecord>, 'findOne' | 'deleteOne' | 'deleteMany'>;
  letGo: LetGo;
  now: Clock;
}

/** A person of the provider whose email address it has verified. */
interface Identity {
  oidcSubject: string;
  claims: Claims;
  email: string;
}

/** The user of a login, and how it changed. */
interface Provisioned {
  user: UserRecord;
  /** Set for a new user: whether an invitation let them in, or the settings alone. */
  newBy?: 'invitation' | 'settings';
  /** The user before, if the role changed. */
  before?: UserRecord;
  /** Whether this login linked the identity to a user who existed. */
  isLinked?: true;
}

/** Others may change the user at the same time. More conflicts than this have another cause. */
const TRIES = 5;

/** Another request changed the user at the same time. */
class OvertakenError extends OidcError {
  constructor() {
    super('account', 'the user was changed by another request');
  }
}

/**
 * Finds or creates the user for the claims of the provider. `sub` is the identity; only a verified
 * email address links it to an existing user of the account.
 * docs/reference/authentication.md#single-sign-on
 */
export function createProvisionUser(deps: ProvisionDeps): (claims: Claims) => Promise<Provisioned> {
  const { config, accounts, users, invitations, passwords, now } = deps;
  const { issuer } = config;
  const saveUser = createSaveUser(deps);
  const secureForRole = createSecureForRole(deps);
  const inviterRole = createInviterRole(deps);

  async function link(email: string, account: string, oidcSubject: string): Promise<UserRecord | null> {
    const user = await users.findOne({ email });
    if (!user) return null;
    if (user.accountId !== account) {
      throw new OidcError('account', 'the email address belongs to a user of another account');
    }
    // The identity of another provider is one of the provider before, and nobody can log in with
    // it.
    if (isIdentityOf(user, issuer)) {
      throw new OidcError('account', 'the email address belongs to another user of the provider');
    }
    // Of two identities with the same address, one gets the user.
    const linked = await users.findOneAndUpdate(
      { _id: user._id, email, oidcSubject: user.oidcSubject ?? null },
      { $set: { oidcSubject } },
    );
    if (linked) return linked;
    throw new OvertakenError();
  }

  async function create(account: string, role: Role, { oidcSubject, claims, email }: Identity) {
    const name = typeof claims['name'] === 'string' ? storableText(claims['name']).trim() : '';
    const user: UserRecord = {
      _id: newId('usr'),
      accountId: account,
      email,
      name: prefixOf(isBlank(name) ? email : name, 200),
      role,
      // Nobody knows it. A password reset sets one.
      passwordHash: await passwords.hash(generateToken(''), account),
      oidcSubject,
      createdAt: isoTime(now()),
    };
    await users.insertOne(user);
    return user;
  }

  /**
   * Creates the user of a first login. A pending invitation of the verified address is accepted by
   * it, and gives the role unless the provider does.
   */
  async function createNew(
    account: string,
    granted: Role | 'keep',
    identity: Identity,
  ): Promise<Provisioned> {
    const pending = await invitations.findOne({
      accountId: account,
      email: identity.email,
      expiresAt: { $gt: isoTime(now()) },
    });
    const invitation = pending && (await inviterRole(pending)) !== null ? pending : null;
    const role = granted === 'keep' ? (invitation?.role ?? config.defaultRole) : granted;
    if (role === undefined) {
      throw new OidcError('role', 'new users have no role: no invitation, and no SVC_OIDC_DEFAULT_ROLE');
    }
    const user = await create(account, role, identity);
    if (!invitation) {
      // Somebody may have sent one since.
      await deleteInvitationsOf(invitations, { accountId: account, email: identity.email });
      return { user, newBy: 'settings' };
    }
    const { _id, sentAt } = invitation;
    if (await invitations.deleteOne({ _id, sentAt, expiresAt: { $gt: isoTime(now()) } }))
      return { user, newBy: 'invitation' };
    await users.deleteOne({ _id: user._id });
    throw new OidcError('account', 'the invitation was revoked in the meantime');
  }

  /** Applies the provider's role. The last owner stays one: an account needs an owner. */
  async function withRole(found: UserRecord, role: Role): Promise<UserRecord | null> {
    if (found.role === role) return found;
    const user = await secureForRole(found, role);
    if (!user) return null;
    return saveUser(user, { role }).catch((error: unknown) => {
      if (user.role === 'owner' && isAppError(error) && error.code === 'CONFLICT') return user;
      throw error;
    });
  }

  async function provision(claims: Claims, done: Pick<Provisioned, 'isLinked'>): Promise<Provisioned> {
    const account = await accountIdFor(config, accounts);
    const [oidcSubject] = oidcSubjects(issuer, claims.sub);
    const granted = roleFor(claims, config);
    if (granted === null) throw new OidcError('role', 'no group of the user has a role');
    const known = await findByIdentity(users, { issuer, sub: claims.sub });
    if (known && known.accountId !== account)
      throw new OidcError('account', 'the user is in another account');
    const email = typeof claims['email'] === 'string' ? claims['email'].trim().toLowerCase() : '';
    if (!known && (email === '' || claims['email_verified'] !== true)) {
      throw new OidcError('unverified', 'the provider has not verified the email address');
    }
    const found = known ?? (await link(email, account, oidcSubject));
    if (found) {
      if (!known) done.isLinked = true;
      const user = granted === 'keep' ? found : await withRole(found, granted);
      if (!user) throw new OvertakenError();
      const before = user.role !== found.role && { before: found };
      return { user, ...before };
    }
    return createNew(account, granted, { oidcSubject, claims, email });
  }

  return async function provisionUser(claims) {
    // Another try finds the user by the identity that an earlier one has linked.
    const done: Pick<Provisioned, 'isLinked'> = {};
    return { ...(await withRetries(() => provision(claims, done))), ...done };
  };
}

/**
 * Repeats the work if another request, such as a login in another tab, has created or changed the
 * user meanwhile, who is found the next time.
 */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isOvertaken = isDuplicateKey(error) || error instanceof OvertakenError;
      if (!isOvertaken || tries === TRIES) throw error;
    }
  }
}

async function findByIdentity(
  users: Pick<Collection<UserRecord>, 'find'>,
  { issuer, sub }: { issuer: string; sub: string },
): Promise<UserRecord | null> {
  const found = await users.find({ oidcSubject: { $in: oidcSubjects(issuer, sub) } });
  // Older versions could store a user for each spelling.
  return found.find(({ oidcSubject }) => oidcSubject === `${issuer}|${sub}`) ?? found[0] ?? null;
}

/**
 * Returns the account of the provider's users. @throws OidcError if the settings don't say which
 */
async function accountIdFor(config: OidcConfig, accounts: ProvisionDeps['accounts']): Promise<string> {
  const found = await oidcAccountId(config, accounts);
  if (found !== null) return found;
  throw new OidcError(
    'account',
    config.accountId === undefined
      ? 'SVC_OIDC_ACCOUNT is required: there is not exactly one account'
      : `there is no account ${config.accountId} (SVC_OIDC_ACCOUNT)`,
  );
}
