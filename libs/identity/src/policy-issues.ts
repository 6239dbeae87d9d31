import type { FormSettings, Issue } from '@svcforms/contracts';
import type { Collection, StoredDocument } from '@svcforms/document-store';
import type { GroupRecord } from './records/group.ts';
import type { UserRecord } from './records/user.ts';

type Settings = Pick<FormSettings, 'tasks' | 'reviewers'>;

const PATH = '/settings/tasks';

/**
 * Reports users and groups in the settings of a form that the account doesn't have. `saved`: the
 * settings before. What they name may stay, even if it was deleted since.
 */
export function createPolicyIssues(deps: {
  users: Pick<Collection<UserRecord>, 'find'>;
  groups: Pick<Collection<GroupRecord>, 'find'>;
}) {
  return async function policyIssues(
    accountId: string,
    { tasks, reviewers }: Settings,
    saved?: Settings,
  ): Promise<Issue[]> {
    const policy = tasks?.policy;
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
    return [...(await unknown('users')), ...(await unknown('groups'))];
  };
}

function idsIn(settings: Settings | undefined): ReadonlySet<string> {
  const { policy, escalateTo } = settings?.tasks ?? {};
  return new Set([
    ...(policy?.users ?? []),
    ...(policy?.groups ?? []),
    ...(escalateTo === undefined ? [] : [escalateTo]),
    ...(settings?.reviewers?.groups ?? []),
  ]);
}
