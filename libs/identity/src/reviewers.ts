import type { Electorate } from '@svcforms/contracts';
import { createCachedFinder, createCachedGroupFinder, type DocumentStore } from '@svcforms/document-store';
import { roleDecides, type Caller } from './caller.ts';
import { createChainFinder, createFormAccess } from './form-access.ts';
import { GROUPS, type GroupRecord } from './records/group.ts';
import { USERS, type UserRecord } from './records/user.ts';

/** What decides who may vote on a task. */
export interface ReviewRule {
  accountId: string;
  /** The form, whose `reviewers` limit who may vote. */
  formId: string;
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

/** What of a stored task decides who may vote on it. */
export interface ReviewedTask {
  accountId: string;
  formId: string;
  policy?: { users: readonly string[]; groups: readonly string[] };
  creators?: readonly string[];
  delegations?: readonly { from: string; to: string }[];
  escalateTo?: string;
  escalatedAt?: string;
}

export const reviewRuleOf = (task: ReviewedTask): ReviewRule => ({
  accountId: task.accountId,
  formId: task.formId,
  users: task.policy?.users ?? [],
  groups: task.policy?.groups ?? [],
  creators: task.creators ?? [],
  delegations: task.delegations ?? [],
  escalatedTo: task.escalatedAt === undefined ? undefined : task.escalateTo,
});

/** A form of an account. */
export type FormRef = Pick<ReviewRule, 'accountId' | 'formId'>;

export interface Reviewers {
  /** The people who may vote now, and their names. */
  of(rule: ReviewRule): Promise<Electorate & { names: ReadonlyMap<string, string> }>;
  /** The user of the form's account with the id or email, if they may decide tasks of the form. */
  findPerson(form: FormRef, idOrEmail: string): Promise<UserRecord | null>;
  /** Those of the users with these ids who may see the form. */
  withAccess(form: FormRef, userIds: readonly string[]): Promise<string[]>;
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
export function createReviewers({
  store,
  groupsOfForm,
}: {
  store: Pick<DocumentStore, 'collection'>;
  /** The groups in `settings.reviewers` of the form. */
  groupsOfForm: (formId: string) => Promise<readonly string[] | undefined>;
}): Reviewers {
  const users = store.collection<UserRecord>(USERS);
  const access = createFormAccess({ store });
  const { chainOf, personOf } = createChainFinder({ store });
  const findUser = createCachedFinder(users, '_id');
  const usersOf = createCachedGroupFinder(users, 'accountId');
  const findGroupById = createCachedFinder(store.collection<GroupRecord>(GROUPS), '_id');

  async function usersWith(ids: readonly string[]): Promise<UserRecord[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => findUser(id)));
    return found.filter((user) => user !== null);
  }

  const withAccessTo = async ({ formId }: FormRef, people: readonly UserRecord[]) =>
    access.among(await groupsOfForm(formId), people);

  const decidersOf = (form: FormRef, people: readonly UserRecord[]) =>
    withAccessTo(
      form,
      people.filter((user) => mayDecideIn(form.accountId, user)),
    );

  async function findGroup(accountId: string, groupId: string): Promise<GroupRecord | null> {
    const group = await findGroupById(groupId);
    return group?.accountId === accountId ? group : null;
  }

  return {
    async of({ accountId, formId, users: userIds, groups, creators, delegations, escalatedTo }) {
      const form = { accountId, formId };
      const membersOf = async (ids: readonly string[]) =>
        (await Promise.all(ids.map((id) => findGroup(accountId, id)))).flatMap(
          (group) => group?.members ?? [],
        );
      const isOpen = userIds.length === 0 && groups.length === 0;
      const base = isOpen
        ? await decidersOf(form, await usersOf(accountId))
        : await decidersOf(form, await usersWith([...userIds, ...(await membersOf(groups))]));
      const escalated = escalatedTo === undefined ? [] : await membersOf([escalatedTo]);
      const added = await decidersOf(
        form,
        await usersWith([...escalated, ...delegations.map(({ to }) => to)]),
      );
      const names = new Map([...base, ...added].map(({ _id, name }) => [_id, name]));
      const mayVote = (id: string) => names.has(id) && !creators.includes(id);
      const reviewers = new Set(base.map(({ _id }) => _id).filter(mayVote));
      const standIns = new Set(escalated.filter((id) => mayVote(id) && !reviewers.has(id)));
      for (const { from, to } of delegations) {
        // Skip delegations from or to people who may no longer vote.
        const holder = [reviewers, standIns].find((people) => people.has(from));
        if (!holder || !mayVote(to)) continue;
        holder.delete(from);
        standIns.delete(to);
        holder.add(to);
      }
      return { reviewers, standIns, names };
    },

    async findPerson(form, idOrEmail) {
      const user = await users.findOne({
        accountId: form.accountId,
        $or: [{ _id: idOrEmail }, { email: idOrEmail.toLowerCase() }],
      });
      return (user && (await decidersOf(form, [user]))[0]) ?? null;
    },

    async withAccess(form, userIds) {
      const people = await usersWith(userIds);
      const allowed = await withAccessTo(
        form,
        people.filter((user) => user.accountId === form.accountId),
      );
      return allowed.map(({ _id }) => _id);
    },

    findGroup,
    creatorsOf: chainOf,
    personOf,
  };
}

const mayDecideIn = (accountId: string, user: UserRecord): boolean =>
  user.accountId === accountId && roleDecides(user.role);
