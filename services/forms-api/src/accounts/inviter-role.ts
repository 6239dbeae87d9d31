import type { Role } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import {
  createRights,
  missingRights,
  rightsOfRole,
  roleWithin,
  type ApiKeyRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';

export interface InviterRoleDeps {
  users: Pick<Collection<UserRecord>, 'findOne'>;
  keys: Pick<Collection<ApiKeyRecord>, 'findOne'>;
}

/**
 * Returns the strongest role within the rights of the user or key that sent an invitation; `null` if they
 * no longer have the rights that it promises: a key with `*` loses those of an owner when its owner does.
 * docs/reference/authentication.md#invitations
 */
export function createInviterRole({ users, keys }: InviterRoleDeps) {
  const rights = createRights({ users });

  return async function inviterRole(invitation: InvitationRecord): Promise<Role | null> {
    const { accountId, invitedBy, role } = invitation;
    const user = await users.findOne({ _id: invitedBy, accountId });
    const key = user ? null : await keys.findOne({ _id: invitedBy, accountId });
    const own = user ? rightsOfRole(user.role) : key && (await rights.ofKeyRecord(key));
    return own && missingRights(own, rightsOfRole(role)).length === 0 ? roleWithin(own) : null;
  };
}
