import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A login whose password was right, and which waits for a code. */
export interface LoginChallengeRecord extends StoredDocument {
  /** SHA-256 of the challenge, hex. */
  _id: string;
  accountId: string;
  userId: string;
  /** SHA-256 of the user's password hash: a new password invalidates the challenge. */
  passwordProof: string;
  expireAt: string;
}

export const LOGIN_CHALLENGES: CollectionSpec<LoginChallengeRecord> = {
  name: 'login_challenges',
  indexes: [],
  expireAt: 'expireAt',
};
