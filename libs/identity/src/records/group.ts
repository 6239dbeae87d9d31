import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A group of users of an account. */
export interface GroupRecord extends StoredDocument {
  accountId: string;
  name: string;
  /** `<account id>|<name in lower case>`. */
  nameKey: string;
  /** Ids of users. Those of deleted users stay, and count for nothing. */
  members: string[];
  /**
   * Its number among those of the account, `<account id>|<number>`. Absent: a process of an older
   * version created it.
   */
  slot?: string;
  /** Forms that name the group and are being saved: when each mark ends. See `createKeepGroups`. */
  marks?: Record<string, string>;
  /** Changes with every mark; absent if there was none. */
  lastMark?: string;
  createdAt: string;
  updatedAt: string;
}

export const GROUPS: CollectionSpec<GroupRecord> = {
  name: 'groups',
  indexes: [
    { keys: ['nameKey'], unique: true },
    { keys: ['slot'], unique: true, sparse: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
  ],
  cached: { by: ['_id', 'accountId'], volatile: ['marks', 'lastMark'] },
};
