import { maySeeForm } from '@svcforms/contracts';
import { createCachedFinder, createCachedGroupFinder, type DocumentStore } from '@svcforms/document-store';
import type { Caller } from './caller.ts';
import { API_KEYS, type ApiKeyRecord } from './records/api-key.ts';
import { GROUPS, type GroupRecord } from './records/group.ts';
import { USERS, type UserRecord } from './records/user.ts';

/** A key may have been created by a key, and so on. A longer chain counts as broken. */
const MAX_CHAIN = 20;

const isUserId = (id: string) => id.startsWith('usr_');

export interface ChainFinder {
  /** The ids of the caller, the keys that led to it, and their user. */
  chainOf: (caller: Pick<Caller, 'id' | 'createdBy'>) => Promise<string[]>;
  /** The id of that user; `undefined` for a key of the operator. */
  personOf: (caller: Pick<Caller, 'id' | 'createdBy'>) => Promise<string | undefined>;
}

/** Finds for whom a caller acts. Keys come from the cache. */
export function createChainFinder({ store }: { store: Pick<DocumentStore, 'collection'> }): ChainFinder {
  const findKey = createCachedFinder(store.collection<ApiKeyRecord>(API_KEYS), '_id');

  async function chainOf({ id, createdBy }: Pick<Caller, 'id' | 'createdBy'>): Promise<string[]> {
    const chain = [id];
    let next = createdBy;
    // A key in between may have been deleted since, so each key has the user at the end of its
    // chain.
    let userId = next === undefined || isUserId(next) ? undefined : (await findKey(id))?.userId;
    while (next !== undefined && !chain.includes(next) && chain.length < MAX_CHAIN) {
      chain.push(next);
      if (isUserId(next)) break;
      const key: ApiKeyRecord | null = await findKey(next);
      next = key?.createdBy ?? undefined;
      userId ??= key?.userId;
    }
    if (userId !== undefined && !chain.includes(userId)) chain.push(userId);
    return chain;
  }

  return {
    chainOf,
    personOf: async (caller) => {
      const last = (await chainOf(caller)).at(-1);
      return last !== undefined && isUserId(last) ? last : undefined;
    },
  };
}

export interface FormAccess {
  /** The caller with the groups that limit it now, if any do. */
  limit(caller: Caller): Promise<Caller>;
  /** The ids of the groups that limit the user now; `undefined` if they may see every form. */
  groupsLimiting(user: UserRecord): Promise<ReadonlySet<string> | undefined>;
  /** The users who may see the form. `groups`: those that the form names; `undefined`: none. */
  among(groups: readonly string[] | undefined, users: readonly UserRecord[]): Promise<UserRecord[]>;
}

/**
 * Which forms users with the role `reviewer` may see: those that name one of their groups, and
 * those that name none. Keys and agents of such a user are limited like the user. Users, keys and
 * groups come from the cache. docs/reference/forms.md#reviewers
 */
export function createFormAccess({ store }: { store: Pick<DocumentStore, 'collection'> }): FormAccess {
  const findUser = createCachedFinder(store.collection<UserRecord>(USERS), '_id');
  const groupsOf = createCachedGroupFinder(store.collection<GroupRecord>(GROUPS), 'accountId');
  const findKey = createCachedFinder(store.collection<ApiKeyRecord>(API_KEYS), '_id');
  const { personOf } = createChainFinder({ store });

  async function limitOfCaller(caller: Caller): Promise<ReadonlySet<string> | undefined> {
    const person = await personOf(caller);
    if (person === undefined) return undefined;
    const user = await findUser(person);
    if (user) return user.accountId === caller.accountId ? limitOf(user, groupsOf) : undefined;
    // The user was deleted: a key of a reviewer sees no more forms than before.
    return (await findKey(caller.id))?.ofReviewer ? new Set() : undefined;
  }

  return {
    async limit(caller) {
      const memberOf = await limitOfCaller(caller);
      const { memberOf: _memberOf, ...others } = caller;
      return memberOf === undefined ? others : { ...others, memberOf };
    },

    groupsLimiting: (user) => limitOf(user, groupsOf),
    among: (groups, users) => usersWithAccess(groups, users, groupsOf),
  };
}

/** Finds groups of an account. */
type GroupsOf = (accountId: string) => Promise<readonly GroupRecord[]>;

async function limitOf(
  { _id, accountId, role }: UserRecord,
  groupsOf: GroupsOf,
): Promise<ReadonlySet<string> | undefined> {
  if (role !== 'reviewer') return undefined;
  const groups = await groupsOf(accountId);
  return new Set(groups.filter(({ members }) => members.includes(_id)).map((group) => group._id));
}

/**
 * Those of the users who may see a form that names these groups; if it names none (`undefined`),
 * all of them. `groupsOf` finds at least those groups.
 */
export async function usersWithAccess(
  groups: readonly string[] | undefined,
  users: readonly UserRecord[],
  groupsOf: GroupsOf,
): Promise<UserRecord[]> {
  if (groups === undefined) return [...users];
  const form = { settings: { reviewers: { groups } } };
  const allowed = await Promise.all(
    users.map(async (user) => maySeeForm({ memberOf: await limitOf(user, groupsOf) }, form)),
  );
  return users.filter((_, index) => allowed[index]);
}

/** Whether two sets of groups limit a caller in the same way. */
export function isSameLimit(a: Pick<Caller, 'memberOf'>, b: Pick<Caller, 'memberOf'>): boolean {
  if (a.memberOf === undefined || b.memberOf === undefined) return a.memberOf === b.memberOf;
  return a.memberOf.size === b.memberOf.size && [...a.memberOf].every((id) => b.memberOf?.has(id));
}
