import type { Electorate } from '@svcforms/contracts';
import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { hasScope, scopesOfRole, type Caller } from './caller.ts';
import { API_KEYS, GROUPS, USERS, type ApiKeyRecord, type GroupRecord, type UserRecord } from './records.ts';

/** A key may have been created by a key, and so on. A longer chain counts as broken. */
const MAX_CHAIN = 20;

/** What decides who may vote on a task. */
export interface ReviewRule {
  accountId: string;
  /** Ids of users. */
  users: readonly string[];
  /** Ids of groups. Without users and groups, everyone who may decide tasks may vote. */
  groups: readonly string[];
  /** Ids of those who never vote. */
  creators: readonly string[];
  /** Votes that were handed to somebody else, in order. */
  delegations: readonly { from: string; to: string }[];
  /** Id of the group whose members may vote since an escalation. */
  escalatedTo?: string | undefined;
}

export interface Reviewers {
  /** The people who may vote now, and their names. */
  of(rule: ReviewRule): Promise<Electorate & { names: ReadonlyMap<string, string> }>;
  /** The user of this account with the id or email, if they may decide tasks. */
  findPerson(accountId: string, idOrEmail: string): Promise<UserRecord | null>;
  /** The group of this account. */
  findGroup(accountId: string, groupId: string): Promise<GroupRecord | null>;
  /**
   * The ids of everyone for whom the caller acts: itself, the keys that led to it, and their user.
   * None of them votes on what it creates.
   */
  creatorsOf(caller: Pick<Caller, 'id' | 'createdBy'>): Promise<string[]>;
  /**
   * The id of the user for whom the caller acts: the one who is logged in, or who created the key,
   * also through other keys. `undefined` for a key of the operator.
   */
  personOf(caller: Pick<Caller, 'id' | 'createdBy'>): Promise<string | undefined>;
}

/** Who may vote on tasks. Users and groups come from the cache. docs/reference/tasks.md#policies */
export function createReviewers({ store }: { store: Pick<DocumentStore, 'collection'> }): Reviewers {
  const users = store.collection<UserRecord>(USERS);
  const keys = store.collection<ApiKeyRecord>(API_KEYS);
  const findUser = createCachedFinder(users, '_id');
  const findGroupById = createCachedFinder(store.collection<GroupRecord>(GROUPS), '_id');

  async function peopleIn(accountId: string, ids: readonly string[]): Promise<UserRecord[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => findUser(id)));
    return found.filter((user) => user !== null && mayDecideIn(accountId, user)) as UserRecord[];
  }

  async function findGroup(accountId: string, groupId: string): Promise<GroupRecord | null> {
    const group = await findGroupById(groupId);
    return group?.accountId === accountId ? group : null;
  }

  async function chainOf({ id, createdBy }: Pick<Caller, 'id' | 'createdBy'>): Promise<string[]> {
    const chain = [id];
    let next = createdBy;
    while (next !== undefined && !chain.includes(next) && chain.length < MAX_CHAIN) {
      chain.push(next);
      if (isUserId(next)) break;
      next = (await keys.findOne({ _id: next }))?.createdBy ?? undefined;
    }
    return chain;
  }

  return {
    async of({ accountId, users: userIds, groups, creators, delegations, escalatedTo }) {
      const membersOf = async (ids: readonly string[]) =>
        (await Promise.all(ids.map((id) => findGroup(accountId, id)))).flatMap(
          (group) => group?.members ?? [],
        );
      const isOpen = userIds.length === 0 && groups.length === 0;
      const base = isOpen
        ? (await users.find({ accountId })).filter((user) => mayDecideIn(accountId, user))
        : await peopleIn(accountId, [...userIds, ...(await membersOf(groups))]);
      const added = await peopleIn(accountId, [
        ...(escalatedTo === undefined ? [] : await membersOf([escalatedTo])),
        ...delegations.map(({ to }) => to),
      ]);
      const names = new Map([...base, ...added].map(({ _id, name }) => [_id, name]));
      const mayVote = (id: string) => names.has(id) && !creators.includes(id);
      const reviewers = new Set(base.map(({ _id }) => _id).filter(mayVote));
      const escalated = escalatedTo === undefined ? [] : await membersOf([escalatedTo]);
      const standIns = new Set(escalated.filter((id) => mayVote(id) && !reviewers.has(id)));
      for (const { from, to } of delegations) {
        // Somebody who may no longer vote can't have handed the vote on, and can't have got it.
        const holder = [reviewers, standIns].find((people) => people.has(from));
        if (!holder || !mayVote(to)) continue;
        holder.delete(from);
        standIns.delete(to);
        holder.add(to);
      }
      return { reviewers, standIns, names };
    },

    async findPerson(accountId, idOrEmail) {
      const user = await users.findOne({
        accountId,
        $or: [{ _id: idOrEmail }, { email: idOrEmail.toLowerCase() }],
      });
      return user && mayDecideIn(accountId, user) ? user : null;
    },

    findGroup,
    creatorsOf: chainOf,

    async personOf(caller) {
      const last = (await chainOf(caller)).at(-1);
      return last !== undefined && isUserId(last) ? last : undefined;
    },
  };
}

const isUserId = (id: string) => id.startsWith('usr_');

const mayDecideIn = (accountId: string, user: UserRecord): boolean =>
  user.accountId === accountId && hasScope({ scopes: new Set(scopesOfRole(user.role)) }, 'tasks:decide');
