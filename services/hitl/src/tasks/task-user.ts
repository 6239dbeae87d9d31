import type { Issue } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { FormRef, Reviewers, UserRecord } from '@svcforms/identity';
import type { Actor } from './actor.ts';

type Users = Pick<Collection<UserRecord>, 'findOne'>;

/** Finds the assignee of a new task. `wanted`: an id or an email address. */
export async function findAssignee(
  { users, reviewers }: { users: Users; reviewers: Pick<Reviewers, 'withAccess'> },
  form: FormRef,
  wanted: string | undefined,
): Promise<{ id: string | undefined } | { issue: Issue }> {
  if (wanted === undefined) return { id: undefined };
  const user = await users.findOne({
    accountId: form.accountId,
    $or: [{ _id: wanted }, { email: wanted.toLowerCase() }],
  });
  if (user && (await reviewers.withAccess(form, [user._id])).length > 0) return { id: user._id };
  return {
    issue: {
      pointer: '/assignee',
      message: 'must be the id or the email of a user of the account who may see the form',
    },
  };
}

/** Returns the user of an unassigned task's events. docs/reference/events.md#task-events */
export async function findTaskUser(users: Users, { accountId, by }: Actor): Promise<string> {
  if (by.startsWith('usr_')) return by;
  const owner = await users.findOne({ accountId, role: 'owner' }, { sort: ['createdAt', '_id'] });
  return owner?._id ?? by;
}
