import { AppError } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { isoTime, pause, type Clock } from '@svcforms/primitives';
import { randomUUID } from 'node:crypto';
import { isIdentityOf } from './oidc-subjects.ts';
import type { AccountRecord } from './records/account.ts';
import type { UserRecord } from './records/user.ts';

/** Concurrent changes of owners need several tries; more than this means another problem. */
const MAX_TRIES = 40;
/** An older mark belongs to a process that died. */
const STALE_MS = 30_000;

/**
 * Whether the account has an owner who has logged in with the identity provider of this issuer URL
 * and isn't being removed. Without one, requiring single sign-on would lock everybody out. ADR 0062
 */
export async function hasOwnerWithIdentity(
  users: Pick<Collection<UserRecord>, 'find' | 'updateMany'>,
  { accountId, issuer, now }: { accountId: string; issuer: string; now: number },
): Promise<boolean> {
  const isStale = { leaving: { $lt: isoTime(now - STALE_MS) } };
  await users.updateMany({ accountId, ...isStale }, { $unset: { leaving: true } });
  const owners = await users.find({ accountId, role: 'owner', leaving: null });
  return owners.some((owner) => isIdentityOf(owner, issuer));
}

/**
 * Removes owners while another one remains. Without transactions, this takes a mark (`leaving`):
 * the owner is marked first, then another owner without a mark must exist. Of two concurrent
 * removals, at least one sees the other's mark and waits. The mark of a dead process is removed,
 * which also invalidates its removal. In an account that requires single sign-on, only owners who
 * can log in with the identity provider count as remaining. ADRs 0012 and 0062
 */
export function createOwners(deps: {
  users: Collection<UserRecord>;
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  /** The issuer URL of the identity provider; absent without one. */
  issuer?: string | undefined;
  now: Clock;
}) {
  const { users, accounts, issuer, now } = deps;
  // After the provider was replaced, owners of the one before can't log in until they are linked
  // again.
  const hasIdentity = (owner: UserRecord) =>
    issuer === undefined ? owner.oidcSubject !== undefined : isIdentityOf(owner, issuer);

  async function findRemainingOwner(
    { _id, accountId }: UserRecord,
    needsIdentity: boolean,
  ): Promise<'yes' | 'leaving' | 'none'> {
    const owners = await users.find({ accountId, role: 'owner', _id: { $ne: _id } });
    const others = needsIdentity ? owners.filter(hasIdentity) : owners;
    for (const { _id: id, leaving } of others) {
      if (leaving === undefined) return 'yes';
      const isStale = leaving < isoTime(now() - STALE_MS);
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
      const leaving = `${isoTime(now())}|${randomUUID()}`;
      const free = { $or: [{ leaving: null }, { leaving: { $lt: isoTime(now() - STALE_MS) } }] };
      if (!(await users.updateOne({ _id: owner._id, role: 'owner', ...free }, { $set: { leaving } }))) {
        if (!(await users.findOne({ _id: owner._id, role: 'owner' }))) return null;
        continue;
      }
      const marked = { _id: owner._id, leaving };
      // Read after the mark, so a concurrent request that requires single sign-on sees the mark.
      const account = await accounts.findOne({ _id: owner.accountId });
      const needsIdentity = account?.singleSignOnRequired === true;
      const another = await findRemainingOwner(owner, needsIdentity);
      if (another === 'yes') {
        const changed = await change(marked);
        if (changed !== null && changed !== false) return changed;
        continue;
      }
      await users.updateOne(marked, { $unset: { leaving: true } });
      if (another === 'none') {
        throw new AppError(
          'CONFLICT',
          needsIdentity
            ? 'The account requires single sign-on and needs an owner who has logged in with it; make another such user an owner first'
            : 'The account needs an owner; make another user an owner first',
        );
      }
    }
    throw new AppError('CONFLICT', 'Too many concurrent changes of owners; try again');
  };
}
