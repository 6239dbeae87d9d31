import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A Slack click that was processed, so that a replayed request has no effect. */
export interface SlackClickRecord extends StoredDocument {
  /** SHA-256 of the signature, hex. */
  _id: string;
  expireAt: string;
}

export const SLACK_CLICKS: CollectionSpec<SlackClickRecord> = {
  name: 'slack_clicks',
  indexes: [],
  expireAt: 'expireAt',
};
