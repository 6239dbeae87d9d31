import type { CollectionSpec } from '@svcforms/document-store';
import { AUDIT_LOG, IDEMPOTENCY_KEYS } from '@svcforms/http';
import {
  ACCOUNTS,
  AGENT_TOKENS,
  AGENTS,
  API_KEYS,
  GROUPS,
  INVITATIONS,
  LOGIN_CHALLENGES,
  LOGIN_FAILURES,
  OAUTH_ARTIFACTS,
  OAUTH_CLIENTS,
  OIDC_LOGINS,
  PASSWORD_RESETS,
  RECOVERY_CODES,
  SESSIONS,
  SLACK_CLICKS,
  USERS,
} from '@svcforms/identity';
import {
  DELIVERIES,
  ERASURES,
  FORM_VERSIONS,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  MAIL_COUNTERS,
  NOTIFICATION_ADDRESSES,
  POPUP_COUNTERS,
  RECOVERIES,
  SUBMISSIONS,
  TASKS,
  WEBHOOK_HEALTH,
  WEBHOOKS,
} from '@svcforms/records';
import { DEAD_LETTERS, MAIL_WINDOWS, MAILS } from '@svcforms/webhook-dispatcher/collections';

/**
 * All collections of the product, in the order of a dump. Collections with sealed secrets come
 * early, so that a wrong key is detected before much is restored. Submissions come before tasks, as
 * `dump.ts` explains. Deliveries are the first of those that consumers of events write: unread
 * events follow them in the dump. Erasures and other tombstones come before everything that they
 * can leave out, also before events.
 */
export const COLLECTIONS: readonly CollectionSpec[] = [
  ERASURES,
  WEBHOOKS,
  INBOUND_ENDPOINTS,
  ACCOUNTS,
  USERS,
  API_KEYS,
  GROUPS,
  SESSIONS,
  OAUTH_CLIENTS,
  AGENTS,
  AGENT_TOKENS,
  OAUTH_ARTIFACTS,
  INVITATIONS,
  PASSWORD_RESETS,
  RECOVERY_CODES,
  LOGIN_CHALLENGES,
  OIDC_LOGINS,
  SLACK_CLICKS,
  LOGIN_FAILURES,
  FORMS,
  FORM_VERSIONS,
  POPUP_COUNTERS,
  SUBMISSIONS,
  TASKS,
  RECOVERIES,
  DELIVERIES,
  WEBHOOK_HEALTH,
  NOTIFICATION_ADDRESSES,
  MAIL_COUNTERS,
  MAIL_WINDOWS,
  MAILS,
  DEAD_LETTERS,
  INBOUND_REQUESTS,
  IDEMPOTENCY_KEYS,
  AUDIT_LOG,
];
