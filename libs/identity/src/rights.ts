import type { Role, Scope } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { authorityOf, scopesOfKey } from './api-keys.ts';
import { missingScopes, scopesOfRole, type Caller } from './caller.ts';
import { OPERATOR, type ApiKeyRecord } from './records/api-key.ts';
import type { UserRecord } from './records/user.ts';

/**
 * The rights of a user or key. Admins have all scopes too; in addition, owners may manage owners.
 */
export interface Rights {
  scopes: ReadonlySet<Scope>;
  isOwner: boolean;
}

/** A role from a newer version counts as owner, so that only owners may change its users. */
export function rightsOfRole(role: Role): Rights {
  const scopes = scopesOfRole(role);
  return { scopes: new Set(scopes), isOwner: role === 'owner' || scopes.length === 0 };
}

/** Returns the rights of `target` that `own` lacks: scopes, or `owner`. */
export function missingRights(own: Rights, target: Rights): (Scope | 'owner')[] {
  const scopes = missingScopes(own, [...target.scopes]);
  return target.isOwner && !own.isOwner ? [...scopes, 'owner'] : scopes;
}

/** The strongest role whose rights are among these; `reviewer` if they have none of them. */
export function roleWithin(own: Rights): Role {
  const roles = ['owner', 'admin'] as const;
  return roles.find((role) => missingRights(own, rightsOfRole(role)).length === 0) ?? 'reviewer';
}

/** The role with fewer rights of the two, and `one` if there is no other. */
export function weakerRole(one: Role, other: Role | undefined): Role {
  if (other === undefined) return one;
  return missingRights(rightsOfRole(one), rightsOfRole(other)).length > 0 ? one : other;
}

/**
 * Determines the rights of callers and stored keys. A key counts as an owner if it has `*` and its
 * authority is the operator or a current owner: otherwise an admin could create a key with `*` and
 * take over the owners. ADR 0024
 */
export function createRights({ users }: { users: Pick<Collection<UserRecord>, 'findOne'> }) {
  async function ofKey(key: {
    accountId: string;
    scopes: ReadonlySet<Scope>;
    authority?: string | undefined;
  }) {
    const { accountId, scopes, authority } = key;
    const mayBeOwner = scopes.has('*') && authority !== undefined;
    const isOwner =
      mayBeOwner &&
      (authority === OPERATOR ||
        (await users.findOne({ _id: authority, accountId, role: 'owner' })) !== null);
    return { scopes, isOwner };
  }

  return {
    ofCaller: async (caller: Caller): Promise<Rights> =>
      caller.session ? rightsOfRole(caller.session.role) : ofKey(caller),

    ofKeyRecord: (record: ApiKeyRecord): Promise<Rights> =>
      ofKey({
        accountId: record.accountId,
        scopes: new Set(scopesOfKey(record)),
        authority: authorityOf(record),
      }),

    /**
     * Returns the authority of a key that the caller creates; undefined unless the caller is an
     * owner.
     */
    async authorityFrom(caller: Caller): Promise<string | undefined> {
      if (!(await this.ofCaller(caller)).isOwner) return undefined;
      return caller.session ? caller.id : caller.authority;
    },
  };
}

export type RightsOf = ReturnType<typeof createRights>;
