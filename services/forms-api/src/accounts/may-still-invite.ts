import type { Collection } from '@svcforms/document-store';
import {
  createRights,
  missingRights,
  rightsOfRole,
  type ApiKeyRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';

export interface MayStillInviteDeps {
  users: Pick<Collection<UserRecord>, 'findOne'>;
  keys: Pick<Collection<ApiKeyRecord>, 'findOne'>;
}

/**
 * Says whether the user or key that sent an invitation still has the rights that it promises: a key with
 * `*` loses those of an owner when its owner does. docs/reference/authentication.md#invitations
 */
export function createMayStillInvite({ users, keys }: MayStillInviteDeps) {
  const rights = createRights({ users });

  return async function mayStillInvite(invitation: InvitationRecord): Promise<boolean> {
    const { accountId, invitedBy, role } = invitation;
    const user = await users.findOne({ _id: invitedBy, accountId });
    const key = user ? null : await keys.findOne({ _id: invitedBy, accountId });
    const own = user ? rightsOfRole(user.role) : key && (await rights.ofKeyRecord(key));
    return own !== null && missingRights(own, rightsOfRole(role)).length === 0;
  };
}
