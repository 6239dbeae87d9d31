import type { Collection } from '@svcforms/document-store';
import type { InvitationRecord } from './records/invitation.ts';
import type { UserRecord } from './records/user.ts';

/**
 * Deletes the invitations of an address that a user has now: nobody could accept them. A request
 * that sends one at the same time finds the user.
 */
export async function deleteInvitationsOf(
  invitations: Pick<Collection<InvitationRecord>, 'deleteMany'>,
  { accountId, email }: Pick<UserRecord, 'accountId' | 'email'>,
): Promise<void> {
  await invitations.deleteMany({ accountId, email });
}
