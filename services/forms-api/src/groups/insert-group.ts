import { AppError, MAX_GROUPS } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import type { GroupRecord } from '@svcforms/identity';
import { insertOnce } from '@svcforms/records';
import { insertInSlot } from '../insert-in-slot.ts';

/**
 * Inserts a group in one of the slots of its account.
 * @throws AppError `CONFLICT` when no slot is free, and what `taken` returns if the name is taken
 */
export function insertGroup(
  groups: Collection<GroupRecord>,
  group: GroupRecord,
  taken: (cause: unknown) => AppError,
): Promise<GroupRecord> {
  const { _id, accountId, nameKey } = group;
  return insertInSlot({
    owner: accountId,
    max: MAX_GROUPS,
    others: async () => (await groups.find({ accountId, _id: { $ne: _id } })).map(({ slot }) => slot),
    full: () => new AppError('CONFLICT', `An account has at most ${MAX_GROUPS} groups`),
    insert: (slot) =>
      insertOnce(groups, { ...group, slot }).catch(async (error: unknown) => {
        const isName = isDuplicateKey(error) && (await groups.findOne({ nameKey })) !== null;
        throw isName ? taken(error) : error;
      }),
  });
}
