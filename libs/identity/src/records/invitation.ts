import type { Role } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { StoredLink } from '../one-time-links.ts';

/** An invitation to an account. Accepting or revoking it deletes it. */
export interface InvitationRecord extends StoredDocument {
  accountId: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** The user or key that created it. */
  invitedBy: string;
  /** One for the inviter, and one for each attempt to send the email. */
  links: StoredLink[];
  createdAt: string;
  /** When it was last sent. Sending it again invalidates earlier links. */
  sentAt: string;
  /** When its links stop working. */
  expiresAt: string;
  /** Set until its email is queued: `sentAt`. */
  mailOwedAt?: string;
  /** When the record is deleted. Until then, it can be sent again. */
  expireAt: string;
}

export const INVITATIONS: CollectionSpec<InvitationRecord> = {
  name: 'invitations',
  indexes: [
    { keys: ['accountId', 'email'], unique: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['mailOwedAt'], sparse: true },
  ],
  expireAt: 'expireAt',
  wakesJobs: ['mailOwedAt'],
};
