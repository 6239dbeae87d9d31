import type { Role } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import {
  createRights,
  hasExpired,
  missingRights,
  rightsOfRole,
  roleWithin,
  type ApiKeyRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';

export interface InviterRoleDeps {
  users: Pick<Collection<UserRecord>, 'findOne'>;
  keys: Pick<Collection<ApiKeyRecord>, 'findOne'>;
  now: Clock;
}

/**
 * Returns the strongest role within the rights of the user or key that sent an invitation; `null`
 * if they no longer have the rights that it promises: a key with `*` loses those of an owner when
 * its owner does, and an expired key has none. docs/reference/authentication.md#invitations
 */
export function createInviterRole({ users, keys, now }: InviterRoleDeps) {
  const rights = createRights({ users });

  return async function inviterRole(invitation: InvitationRecord): Promise<Role | null> {
    const { accountId, invitedBy, role } = invitation;
    const user = await users.findOne({ _id: invitedBy, accountId });
    const key = user ? null : await keys.findOne({ _id: invitedBy, accountId });
    const isValid = key !== null && !hasExpired(key, now());
    const own = user ? rightsOfRole(user.role) : isValid && (await rights.ofKeyRecord(key));
    return own && missingRights(own, rightsOfRole(role)).length === 0 ? roleWithin(own) : null;
  };
}
