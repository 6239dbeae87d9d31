import type { EventType, WebhookFilter, WebhookPayload } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { deliveryExpiry } from './delivery.ts';
import type { WebhookHeaders } from './webhook-headers.ts';

/** The record of a webhook is in memory, and a URL may have 2048 characters. */
const MAX_FORMER_URLS = 20;

export type PreviousSecret = {
  secret: string;
  /** ISO 8601. */
  until: string;
};

/** A URL that a webhook had, without query. */
type FormerUrl = {
  url: string;
  /** When another URL replaced it. ISO 8601. */
  until: string;
};

export type WebhookSigningKey = {
  /** Derived from the public key. */
  id: string;
  /** `whpk_…`, as responses show it. */
  publicKey: string;
  /** `whsk_…`, sealed like the secret. */
  privateKey: string;
};

/** A pending email to the owner, written with the change that causes it. */
export type WebhookNotice = {
  kind: 'webhook_failing' | 'webhook_disabled' | 'webhook_gone';
  /** ISO 8601. */
  at: string;
  /** The state of the webhook at that time. */
  url: string;
  lastStatus: number | null;
  lastError?: string;
  failingSince: string | null;
};

export interface WebhookRecord extends StoredDocument {
  accountId: string;
  /**
   * The form whose events it gets. For an account webhook the id of the account, so that one cached
   * lookup finds the webhooks of both. ADR 0064
   */
  formId: string;
  /**
   * An account webhook gets only the events of these forms. Absent: of all forms of the account.
   */
  forms?: string[];
  /** `<formId>|<n>` with n below the most webhooks of a form or account. Unique. */
  place?: string;
  url: string;
  /**
   * Its URLs of the last 30 days before this one, oldest first: erasures name those that got the
   * data.
   */
  formerUrls?: FormerUrl[];
  events: EventType[];
  isEnabled: boolean;
  /** Attempts per second. Absent: no limit. */
  rateLimitPerSecond?: number;
  description?: string;
  /** Only events whose body matches are sent. Absent: all. ADR 0068 */
  filter?: WebhookFilter;
  /** The events that the filter has excluded since it was last changed. */
  filteredCount?: number;
  /** The time of the last of them. ISO 8601. */
  lastFilteredAt?: string;
  /** What is sent instead of the envelope. Absent: the envelope. ADR 0070 */
  payload?: WebhookPayload;
  /** Sealed in the context `webhookSecretContext(_id)`. */
  secret: string;
  secretLast4: string;
  /**
   * Previous secrets, newest first, sealed like `secret`. Each also signs until its time (ISO
   * 8601).
   */
  previousSecrets?: PreviousSecret[];
  headers?: WebhookHeaders;
  /** The key pair of a webhook with public-key signatures. ADR 0066 */
  signingKey?: WebhookSigningKey;
  disabledReason: 'manual' | 'failures' | 'gone' | null;
  disabledAt: string | null;
  /**
   * The time of the first failed attempt since the last success; `null` if the last attempt
   * succeeded.
   */
  failingSince: string | null;
  consecutiveFailures: number;
  /**
   * When it was last enabled, or got another URL while enabled. Attempts that began before that
   * don't count as failures. ISO 8601.
   */
  startedOverAt?: string;
  /** When the first delivery since the last success failed finally. */
  givenUpAt?: string;
  /** When the owner was warned about failures, once per `failingSince`. */
  warnedAt?: string;
  /** Emails to the owner that aren't sent yet. */
  notices?: WebhookNotice[];
  /**
   * The time of the newest notice, and what makes it unique; see `noticesMark`. Absent without
   * `notices`.
   */
  noticesAt?: string;
  /** The endpoint responded with 429: no process sends before this time (ISO 8601). */
  pausedUntil?: string;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  /** Why the last attempt failed, as one word. Absent after a success. */
  lastError?: string;
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
    { keys: ['signingKey.id'], sparse: true },
  ],
  cached: {
    by: ['formId'],
    // Most accounts have no account webhooks, and each event asks for them.
    keepsAbsent: true,
    // The health of a webhook, which each attempt changes, what its filter excluded, and what
    // follows from it for its owners.
    volatile: [
      'consecutiveFailures',
      'failingSince',
      'filteredCount',
      'givenUpAt',
      'lastAttemptAt',
      'lastError',
      'lastFilteredAt',
      'lastStatus',
      'notices',
      'noticesAt',
      'warnedAt',
    ],
  },
  wakesJobs: ['noticesAt'],
};

/** Whether the webhook belongs to the account and not to one of its forms. */
export const isAccountWebhook = ({
  accountId,
  formId,
}: Pick<WebhookRecord, 'accountId' | 'formId'>): boolean => formId === accountId;

/**
 * Whether events become deliveries of the webhook. While failures have disabled it, these are
 * `held`.
 */
export const getsDeliveries = ({
  isEnabled,
  disabledReason,
}: Pick<WebhookRecord, 'isEnabled' | 'disabledReason'>): boolean =>
  isEnabled || disabledReason === 'failures';

/** The form of a webhook, for log lines and emails; `undefined` for an account webhook. */
export const formOf = (webhook: Pick<WebhookRecord, 'accountId' | 'formId'>): string | undefined =>
  isAccountWebhook(webhook) ? undefined : webhook.formId;

/**
 * The former URLs of a webhook once another URL replaces its own. Drops those from before all
 * deliveries.
 */
export function formerUrlsAfter(
  { url, formerUrls = [] }: Pick<WebhookRecord, 'url' | 'formerUrls'>,
  at: string,
): FormerUrl[] {
  const known = formerUrls.filter(({ until }) => deliveryExpiry(Date.parse(until)) > at);
  return [...known, { url: url.replace(/[?#].*/s, ''), until: at }].slice(-MAX_FORMER_URLS);
}

/** The URLs that a webhook had between two times (ISO 8601), oldest first. */
export function urlsBetween(
  { url, formerUrls = [] }: Pick<WebhookRecord, 'url' | 'formerUrls'>,
  { from, to }: { from: string; to: string },
): string[] {
  const former = formerUrls.filter(
    ({ until }, index) => until >= from && (formerUrls[index - 1]?.until ?? '') <= to,
  );
  const isCurrent = (formerUrls.at(-1)?.until ?? '') <= to;
  return [...former.map((each) => each.url), ...(isCurrent ? [url] : [])];
}

/**
 * The sealed secrets that sign a delivery at that time (milliseconds since the epoch), newest
 * first.
 */
export function validSecrets(
  { secret, previousSecrets = [] }: Pick<WebhookRecord, 'secret' | 'previousSecrets'>,
  now: number,
): string[] {
  return [secret, ...stillValid(previousSecrets, now).map((previous) => previous.secret)];
}

/** The previous secrets that still sign. */
export function stillValid(previous: readonly PreviousSecret[], now: number): PreviousSecret[] {
  return previous.filter(({ until }) => Date.parse(until) > now);
}

/** The context to which what is sealed in a webhook is bound. */
export const webhookSecretContext = (webhookId: string): string => `webhooks/${webhookId}`;
