import type { Collection } from '@svcforms/document-store';
import {
  deleteInvitationsOf,
  updateOfUser,
  type createOwners,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';

/** Applies a change that ends a user's ownership, unless it is the last owner. */
export type LetGo = ReturnType<typeof createOwners>;

interface SaveUserDeps {
  users: Pick<Collection<UserRecord>, 'findOneAndUpdate'>;
  invitations: Pick<Collection<InvitationRecord>, 'deleteMany'>;
  letGo: LetGo;
  now: Clock;
}

/**
 * Changes a user; `null` if somebody else has changed the role, the email or the password since
 * `user` was read.
 */
export type SaveUser = (user: UserRecord, change: Partial<UserRecord>) => Promise<UserRecord | null>;

/**
 * Every change of a user's role goes through it, because a role has consequences: an account keeps
 * an owner, and the user's invitations may promise a role that the user can't give anymore.
 */
export function createSaveUser({ users, invitations, letGo, now }: SaveUserDeps): SaveUser {
  return async function saveUser(user, change) {
    const { _id, role, email, passwordHash } = user;
    const update = updateOfUser(user, change, isoTime(now()));
    const ceasesToBeOwner = user.role === 'owner' && (change.role ?? 'owner') !== 'owner';
    const saved = ceasesToBeOwner
      ? await letGo(user, (marked) =>
          users.findOneAndUpdate(marked, { ...update, $unset: { ...update.$unset, leaving: true } }),
        )
      : await users.findOneAndUpdate({ _id, role, email, passwordHash }, update);
    if (saved && saved.role !== user.role) await invitations.deleteMany({ invitedBy: user._id });
    if (saved && saved.email !== user.email) await deleteInvitationsOf(invitations, saved);
    return saved;
  };
}
