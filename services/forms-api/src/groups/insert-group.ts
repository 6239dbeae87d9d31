import { AppError, MAX_GROUPS } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import type { GroupRecord } from '@svcforms/identity';
import { insertOnce } from '@svcforms/records';

/**
 * Inserts a group in one of the slots of its account. Slots have a unique key, because a count
 * before an insert can be outdated after it.
 * @throws AppError `CONFLICT` when no slot is free
 * @throws StoreError `DUPLICATE_KEY` if the name is taken
 */
export async function insertInSlot(
  groups: Collection<GroupRecord>,
  group: GroupRecord,
): Promise<GroupRecord> {
  const { _id, accountId, nameKey } = group;
  for (;;) {
    const others = await groups.find({ accountId, _id: { $ne: _id } });
    const taken = new Set(others.map(({ slot }) => slot));
    const withoutSlot = others.filter(({ slot }) => slot === undefined).length;
    const slots = Array.from({ length: MAX_GROUPS - withoutSlot }, (_, n) => `${accountId}|${n}`);
    const free = slots.filter((slot) => !taken.has(slot));
    // A random slot, so that concurrent requests rarely collide.
    const slot = others.length < MAX_GROUPS ? free[Math.floor(Math.random() * free.length)] : undefined;
    if (slot === undefined) {
      throw new AppError('CONFLICT', `An account has at most ${MAX_GROUPS} groups`);
    }
    try {
      return await insertOnce(groups, { ...group, slot });
    } catch (error) {
      if (!isDuplicateKey(error) || (await groups.findOne({ nameKey }))) throw error;
    }
  }
}
