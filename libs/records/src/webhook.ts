import type { WebhookEventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export type PreviousSecret = {
  secret: string;
  /** ISO 8601. */
  until: string;
};

/** What the owner is to be told by e-mail; written with the change that it tells of. */
export type WebhookNotice = {
  kind: 'webhook_failing' | 'webhook_disabled' | 'webhook_gone';
  /** ISO 8601. */
  at: string;
  /** How the webhook was then. */
  url: string;
  lastStatus: number | null;
  failingSince: string | null;
};

export interface WebhookRecord extends StoredDocument {
  accountId: string;
  formId: string;
  /** `<form id>|<n>`, n below the number of webhooks that a form may have: no two have the same. */
  place?: string;
  url: string;
  events: WebhookEventType[];
  isEnabled: boolean;
  description?: string;
  /** Sealed, in the context `webhookSecretContext(_id)`. */
  secret: string;
  secretLast4: string;
  /** Secrets that were rotated out, newest first, sealed like `secret`; each signs along until its time (ISO 8601). */
  previousSecrets?: PreviousSecret[];
  disabledReason: 'manual' | 'failures' | 'gone' | null;
  disabledAt: string | null;
  /** Since when there has been no success; `null` while the last attempt was one. */
  failingSince: string | null;
  consecutiveFailures: number;
  /** When a delivery was first given up since the last success. */
  givenUpAt?: string;
  /** When its owner was warned that it fails; once for each `failingSince`. */
  warnedAt?: string;
  /** What its owner has not been told yet. */
  notices?: WebhookNotice[];
  /** Time of the newest of them. Absent with `notices`. */
  noticesAt?: string;
  /** Its listener answered 429: nothing is sent before that time (ISO 8601), by whichever process. */
  pausedUntil?: string;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  createdAt: string;
  updatedAt: string;
}

export const WEBHOOKS: CollectionSpec<WebhookRecord> = {
  name: 'webhooks',
  indexes: [
    { keys: ['formId', '-createdAt', '-_id'] },
    { keys: ['failingSince'] },
    { keys: ['noticesAt'], sparse: true },
    { keys: ['place'], unique: true, sparse: true },
  ],
};

/** The sealed secrets that a delivery is signed with at that time (milliseconds since the epoch), newest first. */
export function validSecrets(
  { secret, previousSecrets = [] }: Pick<WebhookRecord, 'secret' | 'previousSecrets'>,
  now: number,
): string[] {
  return [secret, ...stillValid(previousSecrets, now).map((previous) => previous.secret)];
}

/** Those whose overlap isn't over. */
export function stillValid(previous: readonly PreviousSecret[], now: number): PreviousSecret[] {
  return previous.filter(({ until }) => Date.parse(until) > now);
}

/** What a webhook's sealed secret is bound to. */
export const webhookSecretContext = (webhookId: string): string => `webhooks/${webhookId}`;
