import { SCOPES, type Role, type Scope } from '@svcforms/contracts';

/** Who calls: an API key of an account, or one of its users who has logged in. */
export interface Caller {
  accountId: string;
  /** Of the key (`key_…`) or the user (`usr_…`). */
  id: string;
  /** Of the key or the user. */
  name?: string;
  scopes: ReadonlySet<Scope>;
  /** Of a user; absent for a key. `authenticatedAt`: when the password was last given, ISO 8601. */
  session?: { sessionId: string; role: Role; authenticatedAt?: string };
  /** Of a key; see `ApiKeyRecord.authority`. */
  authority?: string;
  /** Of a key: the user or key that created it, where that is known. */
  createdBy?: string;
}

/** Whether the caller has the scope, by name or by `*`. */
export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.has(scope) || caller.scopes.has('*');
}

/** Those of `wanted` that the caller lacks, and so can't give to anybody. contract: api.md §2 */
export function missingScopes(caller: Pick<Caller, 'scopes'>, wanted: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !hasScope(caller, scope));
}

const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ['*'],
  admin: ['*'],
  reviewer: ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'],
};

/** What a user of the role may do; of one that only a newer version knows, nothing. contract: api.md §2 */
export function scopesOfRole(role: Role): readonly Scope[] {
  const scopes: readonly Scope[] | undefined = SCOPES_OF_ROLE[role];
  return scopes ?? [];
}

/** By name, in the order of the contract; `*` is all of them. */
export function scopesByName(caller: Pick<Caller, 'scopes'>): Scope[] {
  return SCOPES.filter((scope) => scope !== '*' && hasScope(caller, scope));
}
