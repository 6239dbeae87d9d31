import { AppError } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { UserRecord } from './records.ts';

/** Others may be letting go of owners at the same time; after so many, something else is wrong. */
const TRIES = 40;
/** A mark older than that was left by a process that died. */
const STALE_MS = 30_000;

/**
 * Lets owners go, as long as one is left. Without transactions it takes a mark on who is leaving: whoever leaves first marks
 * himself, then looks for another owner who has no mark. Of two who leave at once, at least one sees the other's mark; a mark
 * that stood in the way is waited for, and one of a dead process taken away, so that its owner can't go by it any more.
 */
export function createOwners({ users, now }: { users: Collection<UserRecord>; now: () => number }) {
  const iso = (offsetMs = 0) => new Date(now() + offsetMs).toISOString();

  async function isAnotherLeft({ _id, accountId }: UserRecord): Promise<'yes' | 'leaving' | 'none'> {
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
   * Makes the change by which an owner ceases to be one. It has to be made of the document that `marked` finds, and to give
   * `null` or `false` where there is none; whoever changes the role takes the mark (`leaving`) away, too.
   * @returns what `change` gave; `null` when the user is no owner (any more).
   * @throws AppError `CONFLICT` for the last owner.
   */
  return async function letGo<T>(
    owner: UserRecord,
    change: (marked: Filter<UserRecord>) => Promise<T | null | false>,
  ): Promise<T | null> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await pause(5 + Math.random() * 10 * Math.min(tries, 10));
      const leaving = `${iso()}|${randomUUID()}`;
      const free = { $or: [{ leaving: null }, { leaving: { $lt: iso(-STALE_MS) } }] };
      if (!(await users.updateOne({ _id: owner._id, role: 'owner', ...free }, { $set: { leaving } }))) {
        if (!(await users.findOne({ _id: owner._id, role: 'owner' }))) return null;
        continue;
      }
      const marked = { _id: owner._id, leaving };
      const another = await isAnotherLeft(owner);
      if (another === 'yes') {
        const changed = await change(marked);
        if (changed !== null && changed !== false) return changed;
        continue;
      }
      await users.updateOne(marked, { $unset: { leaving: true } });
      if (another === 'none') {
        throw new AppError(
          'CONFLICT',
          'The last owner of an account stays; make somebody else an owner first',
        );
      }
    }
    throw new AppError('CONFLICT', 'The owners are being changed by too many others right now; try again');
  };
}
