import type { WebhookEventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface WebhookRecord extends StoredDocument {
  accountId: string;
  formId: string;
  url: string;
  events: WebhookEventType[];
  isEnabled: boolean;
  description?: string;
  /** Sealed, in the context `webhookSecretContext(_id)`. */
  secret: string;
  secretLast4: string;
  disabledReason: 'manual' | 'failures' | 'gone' | null;
  disabledAt: string | null;
  /** Since when there has been no success; `null` while the last attempt was one. */
  failingSince: string | null;
  consecutiveFailures: number;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  createdAt: string;
  updatedAt: string;
}

export const WEBHOOKS: CollectionSpec = {
  name: 'webhooks',
  indexes: [{ keys: ['formId', '-createdAt', '-_id'] }],
};

/** What a webhook's sealed secret is bound to. */
export const webhookSecretContext = (webhookId: string): string => `webhooks/${webhookId}`;
