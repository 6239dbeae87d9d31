import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A group of users of an account. */
export interface GroupRecord extends StoredDocument {
  accountId: string;
  name: string;
  /** `<account id>|<name in lower case>`. */
  nameKey: string;
  /** Ids of users. Those of deleted users stay, and count for nothing. */
  members: string[];
  createdAt: string;
  updatedAt: string;
}

export const GROUPS: CollectionSpec<GroupRecord> = {
  name: 'groups',
  indexes: [{ keys: ['nameKey'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
  cached: { by: ['_id', 'accountId'], volatile: [] },
};
