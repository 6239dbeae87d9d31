import { AppError } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { pause, type Clock } from '@svcforms/primitives';
import { randomUUID } from 'node:crypto';
import type { UserRecord } from './records.ts';

/** Concurrent changes of owners need several tries; more than this means another problem. */
const MAX_TRIES = 40;
/** An older mark belongs to a process that died. */
const STALE_MS = 30_000;

/**
 * Removes owners while another one remains. Without transactions, this takes a mark (`leaving`):
 * the owner is marked first, then another owner without a mark must exist. Of two concurrent
 * removals, at least one sees the other's mark and waits. The mark of a dead process is removed,
 * which also invalidates its removal. ADR 0012
 */
export function createOwners({ users, now }: { users: Collection<UserRecord>; now: Clock }) {
  const iso = (offsetMs = 0) => new Date(now() + offsetMs).toISOString();

  async function findRemainingOwner({ _id, accountId }: UserRecord): Promise<'yes' | 'leaving' | 'none'> {
    const others = await users.find({ accountId, role: 'owner', _id: { $ne: _id } });
    for (const { _id: id, leaving } of others) {
      if (leaving === undefined) return 'yes';
      const isStale = leaving < iso(-STALE_MS);
      if (isStale && (await users.updateOne({ _id: id, leaving }, { $unset: { leaving: true } })))
        return 'yes';
    }
    return others.length > 0 ? 'leaving' : 'none';
  }

  /**
   * Makes the change that ends a user's ownership. `change` must update the document that `marked`
   * finds, remove the mark (`leaving`), and return `null` or `false` if there is no such document.
   * @returns the result of `change`; `null` if the user isn't an owner
   * @throws AppError `CONFLICT` for the last owner
   */
  return async function removeOwner<T>(
    owner: UserRecord,
    change: (marked: Filter<UserRecord>) => Promise<T | null | false>,
  ): Promise<T | null> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await pause(5 + Math.random() * 10 * Math.min(tries, 10));
      const leaving = `${iso()}|${randomUUID()}`;
      const free = { $or: [{ leaving: null }, { leaving: { $lt: iso(-STALE_MS) } }] };
      if (!(await users.updateOne({ _id: owner._id, role: 'owner', ...free }, { $set: { leaving } }))) {
        if (!(await users.findOne({ _id: owner._id, role: 'owner' }))) return null;
        continue;
      }
      const marked = { _id: owner._id, leaving };
      const another = await findRemainingOwner(owner);
      if (another === 'yes') {
        const changed = await change(marked);
        if (changed !== null && changed !== false) return changed;
        continue;
      }
      await users.updateOne(marked, { $unset: { leaving: true } });
      if (another === 'none') {
        throw new AppError('CONFLICT', 'The account needs an owner; make another user an owner first');
      }
    }
    throw new AppError('CONFLICT', 'Too many concurrent changes of owners; try again');
  };
}
