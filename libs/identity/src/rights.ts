import type { Role, Scope } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { authorityOf, scopesOfKey } from './api-keys.ts';
import { missingScopes, scopesOfRole, type Caller } from './caller.ts';
import { OPERATOR, type ApiKeyRecord, type UserRecord } from './records.ts';

/** All that credentials may do. Admins have every scope too; what owners have beyond that is power over owners. */
export interface Rights {
  scopes: ReadonlySet<Scope>;
  isOwner: boolean;
}

/** A role that only a newer version knows counts as an owner's: nobody else may touch it. */
export function rightsOfRole(role: Role): Rights {
  const scopes = scopesOfRole(role);
  return { scopes: new Set(scopes), isOwner: role === 'owner' || scopes.length === 0 };
}

/** What `target` may do and `own` may not: scopes, or `owner`. Empty: `own` has at least the target's rights. */
export function missingRights(own: Rights, target: Rights): (Scope | 'owner')[] {
  const scopes = missingScopes(own, [...target.scopes]);
  return target.isOwner && !own.isOwner ? [...scopes, 'owner'] : scopes;
}

/**
 * Rights of callers and of stored keys. A key counts as an owner while it has `*` and its authority is the operator's or that of a
 * user who is an owner now: otherwise an admin could create a key with `*` and take over owners with it. docs/adr/0024
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

    /** What a key that the caller creates acts on; undefined where the caller is no owner. */
    async authorityFrom(caller: Caller): Promise<string | undefined> {
      if (!(await this.ofCaller(caller)).isOwner) return undefined;
      return caller.session ? caller.id : caller.authority;
    },
  };
}

export type RightsOf = ReturnType<typeof createRights>;
