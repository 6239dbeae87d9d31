import { SCOPES, type Role, type Scope } from '@svcforms/contracts';

/**
 * An authenticated caller: an API key of an account, a connected agent, or a user with a session.
 */
export interface Caller {
  accountId: string;
  /** The id of the key (`key_…`), the agent (`agt_…`) or the user (`usr_…`). */
  id: string;
  /** The name of the key, the agent or the user. */
  name?: string;
  scopes: ReadonlySet<Scope>;
  /**
   * Absent for a key and an agent. `authenticatedAt`: when the user last entered the password, ISO
   * 8601.
   */
  session?: {
    sessionId: string;
    role: Role;
    authenticatedAt?: string;
    /** The user may do nothing else until the password is changed. */
    mustChangePassword?: true;
    /** How it was opened; absent: with a password. */
    via?: 'oidc';
    /** Set while the user has no scopes, because the account requires a second factor. */
    mustSetUpTotp?: true;
  };
  /** Only of an agent: the user who connected it. */
  agentOf?: string;
  /** Only of a key; see `ApiKeyRecord.authority`. */
  authority?: string;
  /**
   * Of a key: the user or key that created it, if known. Of an agent: the user who connected it.
   */
  createdBy?: string;
  /**
   * Of a user with the role `reviewer`, and of their keys and agents: the groups of the user, which
   * decide which forms they see. Absent: they see every form. docs/reference/forms.md#reviewers
   */
  memberOf?: ReadonlySet<string>;
}

/** Whether the caller has the scope, by name or through `*`. */
export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.has(scope) || caller.scopes.has('*');
}

/**
 * Returns the scopes that the caller lacks and so can't grant.
 * docs/reference/authentication.md#credentials
 */
export function missingScopes(caller: Pick<Caller, 'scopes'>, wanted: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !hasScope(caller, scope));
}

const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ['*'],
  admin: ['*'],
  reviewer: ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'],
};

/**
 * Returns the scopes of a role; none for a role from a newer version.
 * docs/reference/authentication.md#users-and-roles
 */
export function scopesOfRole(role: Role): readonly Scope[] {
  const scopes: readonly Scope[] | undefined = SCOPES_OF_ROLE[role];
  return scopes ?? [];
}

/** Whether users with the role may decide tasks. */
export const roleDecides = (role: Role): boolean =>
  hasScope({ scopes: new Set(scopesOfRole(role)) }, 'tasks:decide');

/** Returns the caller's scopes by name, with `*` expanded, in the order of `SCOPES`. */
export function scopesByName(caller: Pick<Caller, 'scopes'>): Scope[] {
  return SCOPES.filter((scope) => scope !== '*' && hasScope(caller, scope));
}
