import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import { groupsNamedIn, isMarked, type Caller, type GroupRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { FormRecord } from '@svcforms/records';

interface RemoveGroupDeps {
  forms: Pick<Collection<FormRecord>, 'find'>;
  groups: Pick<Collection<GroupRecord>, 'deleteOne'>;
  /** Returns the caller's group. @throws AppError `NOT_FOUND` */
  own: (caller: Caller, groupId: string) => Promise<GroupRecord>;
  now: Clock;
}

/** Forms may be saved at the same time. More conflicts than this have another cause. */
const TRIES = 20;

/**
 * The handler that deletes groups, but none that a form names or is about to name: nobody but
 * owners and admins could see such a form, or nobody could decide its tasks.
 */
export function createRemoveGroup({ forms, groups, own, now }: RemoveGroupDeps) {
  return async function removeGroup(request: PathRequest<'groupId'>): Promise<Reply> {
    const { params, caller, note, audit } = request;
    for (let tries = 0; tries < TRIES; tries++) {
      const group = await own(caller, params.groupId);
      const { _id, accountId, name, lastMark = null } = group;
      if (isMarked(group, isoTime(now()))) throw beingSaved();
      const form = (await forms.find({ accountId, deletedAt: null })).find((each) => names(each, _id));
      if (form)
        throw new AppError(
          'CONFLICT',
          `The form "${form.name}" uses the group in its settings or its draft; change it first`,
        );
      // A form that names it may have been saved since, which marks the group.
      if (!(await groups.deleteOne({ _id, accountId, lastMark }))) continue;
      note({ event: 'group.deleted', groupId: _id });
      audit({ target: { name } });
      return {};
    }
    throw beingSaved();
  };
}

/** Whether the published settings or the draft of the form name the group. */
const names = ({ settings, draft }: FormRecord, groupId: string): boolean =>
  [settings, draft?.definition.settings].some((each) => groupsNamedIn(each).includes(groupId));

const beingSaved = () =>
  new AppError('CONFLICT', 'A form that uses the group is being saved. Try again in a moment.');
