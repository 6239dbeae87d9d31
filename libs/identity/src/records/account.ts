import type { Plan } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface AccountRecord extends StoredDocument {
  name: string;
  plan: Plan;
  createdAt: string;
  /** Days after which submissions are erased unless their form sets a value; absent: never. */
  retentionDays?: number;
  /** Set on the first account when the first start is complete. */
  bootstrappedAt?: string;
  /** Whether users need a second factor; absent: no. */
  secondFactorRequired?: boolean;
  /** Whether users log in with the identity provider only; absent: no. ADR 0062 */
  singleSignOnRequired?: boolean;
  /** The Slack channel that gets its tasks, unless their form names one; absent: none. */
  slackChannel?: string;
  /**
   * Set while the import of the account runs or was interrupted: the checksum of the export, and
   * its option. docs/adr/0061
   */
  importing?: string;
  /** Set on the first account when it is deleted and only this record remains. ISO 8601. */
  erasedAt?: string;
}

export const ACCOUNTS: CollectionSpec<AccountRecord> = {
  name: 'accounts',
  indexes: [{ keys: ['-createdAt', '-_id'] }],
  cached: { by: ['_id'], volatile: [] },
};
