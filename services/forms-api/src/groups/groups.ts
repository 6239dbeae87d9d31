import {
  AppError,
  validationFailed,
  type GroupIn,
  type GroupOut,
  type GroupPatch,
  type PageQuery,
} from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import { changesBetween, findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import type { Caller, GroupRecord, UserRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { FormRecord } from '@svcforms/records';
import { insertGroup } from './insert-group.ts';
import { createRemoveGroup } from './remove-group.ts';

export interface GroupsDeps {
  groups: Collection<GroupRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  forms: Pick<Collection<FormRecord>, 'find'>;
  now: Clock;
}

/** Groups of the caller's account. docs/reference/authentication.md#groups */
export function createGroups({ groups, users, forms, now }: GroupsDeps) {
  async function own({ accountId }: Caller, groupId: string): Promise<GroupRecord> {
    const group = await groups.findOne({ _id: groupId, accountId });
    if (!group) throw noGroup();
    return group;
  }

  /** @throws AppError `VALIDATION_FAILED` */
  async function checkMembers({ accountId }: Caller, members: readonly string[]): Promise<void> {
    const known = await existing(accountId, members);
    const issues = members.flatMap((id, index) =>
      known.has(id)
        ? []
        : [{ pointer: `/members/${index}`, message: 'must be the id of a user of the account' }],
    );
    if (issues.length > 0) throw validationFailed(issues);
  }

  async function existing(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const found = await users.find({ accountId, _id: { $in: [...new Set(ids)] } });
    return new Set(found.map(({ _id }) => _id));
  }

  /** Without members whose users were deleted. */
  async function outs(accountId: string, found: readonly GroupRecord[]): Promise<GroupOut[]> {
    const known = await existing(
      accountId,
      found.flatMap(({ members }) => members),
    );
    return found.map(({ _id: id, name, members, createdAt, updatedAt }) => ({
      id,
      name,
      members: members.filter((member) => known.has(member)),
      createdAt,
      updatedAt,
    }));
  }

  async function out(group: GroupRecord): Promise<GroupOut> {
    const [shown] = await outs(group.accountId, [group]);
    if (!shown) throw new TypeError('a group was lost');
    return shown;
  }

  return {
    create: async ({ body, caller, newId, note, audit }: RouteRequest<unknown, GroupIn>): Promise<Reply> => {
      const { accountId } = caller;
      await checkMembers(caller, body.members);
      const group: GroupRecord = {
        _id: newId('grp'),
        accountId,
        name: body.name,
        nameKey: nameKey(accountId, body.name),
        members: body.members,
        createdAt: isoTime(now()),
        updatedAt: isoTime(now()),
      };
      const stored = await insertGroup(groups, group, nameTaken);
      note({ event: 'group.created', groupId: stored._id });
      audit({
        target: { id: stored._id, name: stored.name },
        changes: changesBetween({}, stored, { names: ['name', 'members'] }),
      });
      return { data: await out(stored), headers: { Location: `/api/groups/${stored._id}` } };
    },

    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { accountId } = caller;
      const { items, pagination } = await findPage(groups, { accountId }, { prefix: 'grp', ...query });
      return { data: await outs(accountId, items), pagination };
    },

    get: async ({ params, caller }: PathRequest<'groupId'>): Promise<Reply> => ({
      data: await out(await own(caller, params.groupId)),
    }),

    change: async (request: PathRequest<'groupId', unknown, GroupPatch>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      const group = await own(caller, params.groupId);
      if (body.members) await checkMembers(caller, body.members);
      const { name, members } = body;
      const changed = await groups
        .findOneAndUpdate(
          { _id: group._id, accountId: caller.accountId },
          {
            $set: {
              name,
              nameKey: name === undefined ? undefined : nameKey(caller.accountId, name),
              members,
              updatedAt: isoTime(now()),
            },
          },
        )
        .catch(refuseTakenName);
      if (!changed) throw noGroup();
      note({ event: 'group.changed', groupId: group._id });
      audit({ changes: changesBetween(group, changed, { names: ['name', 'members'], written: body }) });
      return { data: await out(changed) };
    },

    remove: createRemoveGroup({ forms, groups, own, now }),
  };
}

const noGroup = () => new AppError('NOT_FOUND', 'There is no such group');

const nameKey = (accountId: string, name: string) => `${accountId}|${name.toLowerCase()}`;

const nameTaken = (cause: unknown) =>
  new AppError('CONFLICT', 'A group with this name already exists', { cause });

function refuseTakenName(error: unknown): never {
  throw isDuplicateKey(error) ? nameTaken(error) : error;
}
