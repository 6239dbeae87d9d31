import type { FormSettings } from '@svcforms/contracts';
import type { AnyDocument, Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { randomUUID } from 'node:crypto';
import type { GroupRecord } from './records/group.ts';

type Settings = Pick<FormSettings, 'tasks' | 'reviewers'>;

/** An older mark belongs to a process that died. */
const STALE_MS = 30_000;

/** The ids of the groups that the settings of a form name. */
export function groupsNamedIn({ tasks, reviewers }: Settings = {}): string[] {
  const escalateTo = tasks?.escalateTo === undefined ? [] : [tasks.escalateTo];
  return [...new Set([...(tasks?.policy?.groups ?? []), ...escalateTo, ...(reviewers?.groups ?? [])])];
}

/**
 * Runs `save`, which checks settings and stores a form with them, and keeps the groups that they
 * name from being deleted meanwhile. Without transactions, this takes a mark: the groups are marked
 * before `save` looks for them, and a group with a mark isn't deleted. Those in `saved`, the
 * settings before, need none, because the form names them already. ADR 0099
 */
export function createKeepGroups(deps: { groups: Pick<Collection<GroupRecord>, 'updateMany'>; now: Clock }) {
  const groups: Pick<Collection<GroupRecord, AnyDocument>, 'updateMany'> = deps.groups;

  return async function keepGroups<T>(
    { accountId, settings, saved }: { accountId: string; settings: Settings; saved?: Settings | undefined },
    save: () => Promise<T>,
  ): Promise<T> {
    const before = groupsNamedIn(saved);
    const added = groupsNamedIn(settings).filter((id) => !before.includes(id));
    if (added.length === 0) return save();
    const mark = randomUUID();
    const where = { accountId, _id: { $in: added } };
    const until = isoTime(deps.now() + STALE_MS);
    await groups.updateMany(where, { $set: { [`marks.${mark}`]: until, lastMark: mark } });
    try {
      return await save();
    } finally {
      // The form is stored already, and the mark expires on its own.
      await groups.updateMany(where, { $unset: { [`marks.${mark}`]: true } }).catch(() => {});
    }
  };
}

/** Whether a form that names the group is being saved. @param at in ISO 8601 */
export function isMarked({ marks = {} }: Pick<GroupRecord, 'marks'>, at: string): boolean {
  return Object.values(marks).some((until) => until > at);
}
