import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A request for an email that resets a password, whether or not the address belongs to a user. */
export interface PasswordResetRecord extends StoredDocument {
  /** Lower case. */
  email: string;
  requestedAt: string;
  /** When the link of the email stops working, and the record is deleted. */
  expireAt: string;
}

export const PASSWORD_RESETS: CollectionSpec<PasswordResetRecord> = {
  name: 'password_resets',
  indexes: [{ keys: ['requestedAt'] }],
  expireAt: 'expireAt',
  wakesJobs: ['requestedAt'],
};
