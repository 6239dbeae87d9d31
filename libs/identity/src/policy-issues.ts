import type { FormSettings, Issue } from '@svcforms/contracts';
import type { Collection, StoredDocument } from '@svcforms/document-store';
import { roleDecides } from './caller.ts';
import { usersWithAccess } from './form-access.ts';
import { groupsNamedIn } from './group-marks.ts';
import type { GroupRecord } from './records/group.ts';
import type { UserRecord } from './records/user.ts';

type Settings = Pick<FormSettings, 'tasks' | 'reviewers'>;

const PATH = '/settings/tasks';

/**
 * Reports users and groups in the settings of a form that the account doesn't have, and an
 * escalation to a group in which nobody may decide tasks of the form. `saved`: the settings before.
 * What they name may stay, even if it was deleted since.
 */
export function createPolicyIssues(deps: {
  users: Pick<Collection<UserRecord>, 'find'>;
  groups: Pick<Collection<GroupRecord>, 'find'>;
}) {
  /**
   * Whether somebody in the group may decide tasks of a form with these reviewers. They aren't
   * saved yet, so `Reviewers` doesn't know them.
   */
  async function hasDecider(
    accountId: string,
    groupId: string,
    reviewers: Settings['reviewers'],
  ): Promise<boolean> {
    const ids = [groupId, ...(reviewers?.groups ?? [])];
    const groups = await deps.groups.find({ accountId, _id: { $in: ids } });
    const { members } = groups.find(({ _id }) => _id === groupId) ?? { members: [] };
    const people = await deps.users.find({ accountId, _id: { $in: members } });
    const deciders = people.filter(({ role }) => roleDecides(role));
    return (await usersWithAccess(reviewers?.groups, deciders, async () => groups)).length > 0;
  }

  async function escalationIssues(
    accountId: string,
    { tasks, reviewers }: Settings,
    saved: Settings | undefined,
  ): Promise<Issue[]> {
    const groupId = tasks?.escalateTo;
    if (groupId === undefined) return [];
    const isSaved =
      groupId === saved?.tasks?.escalateTo &&
      JSON.stringify(reviewers?.groups) === JSON.stringify(saved.reviewers?.groups);
    if (isSaved || (await hasDecider(accountId, groupId, reviewers))) return [];
    return [
      {
        pointer: `${PATH}/escalateTo`,
        message: 'must be a group with a member who may decide tasks of the form',
      },
    ];
  }

  return async function policyIssues(
    accountId: string,
    { tasks, reviewers }: Settings,
    saved?: Settings,
  ): Promise<Issue[]> {
    const policy = tasks?.policy;
    const settings = { tasks, reviewers };
    const named = {
      users: (policy?.users ?? []).map((id, index) => ({ id, pointer: `${PATH}/policy/users/${index}` })),
      groups: [
        ...(policy?.groups ?? []).map((id, index) => ({ id, pointer: `${PATH}/policy/groups/${index}` })),
        ...(tasks?.escalateTo === undefined ? [] : [{ id: tasks.escalateTo, pointer: `${PATH}/escalateTo` }]),
        ...(reviewers?.groups ?? []).map((id, index) => ({
          id,
          pointer: `/settings/reviewers/groups/${index}`,
        })),
      ],
    };
    const before = idsIn(saved);
    const unknown = async (what: 'users' | 'groups') => {
      const added = named[what].filter(({ id }) => !before.has(id));
      if (added.length === 0) return [];
      const where = { accountId, _id: { $in: added.map(({ id }) => id) } };
      const found: StoredDocument[] = await deps[what].find(where);
      const known = new Set(found.map(({ _id }) => _id));
      const message = `must be the id of a ${what === 'users' ? 'user' : 'group'} of the account`;
      return added.filter(({ id }) => !known.has(id)).map(({ pointer }) => ({ pointer, message }));
    };
    const issues = [...(await unknown('users')), ...(await unknown('groups'))];
    return issues.length > 0 ? issues : escalationIssues(accountId, settings, saved);
  };
}

function idsIn(settings: Settings | undefined): ReadonlySet<string> {
  return new Set([...(settings?.tasks?.policy?.users ?? []), ...groupsNamedIn(settings)]);
}
