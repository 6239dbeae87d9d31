import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** An unused recovery code. Using it deletes it. */
export interface RecoveryCodeRecord extends StoredDocument {
  /** SHA-256 of the user's id and the code, hex. */
  _id: string;
  accountId: string;
  userId: string;
}

export const RECOVERY_CODES: CollectionSpec<RecoveryCodeRecord> = {
  name: 'recovery_codes',
  indexes: [{ keys: ['userId'] }],
};
