import type { CollectionSpec } from '@svcforms/document-store';
import { AUDIT_LOG, IDEMPOTENCY_KEYS } from '@svcforms/http';
import {
  ACCOUNTS,
  API_KEYS,
  INVITATIONS,
  LOGIN_CHALLENGES,
  LOGIN_FAILURES,
  OIDC_LOGINS,
  PASSWORD_RESETS,
  RECOVERY_CODES,
  SESSIONS,
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
 * All collections of the product, in the order of a dump. Collections with sealed secrets come early, so that a wrong key is
 * detected before much is restored. Submissions come before tasks, as `dump.ts` explains. Erasures come before everything that
 * they can leave out.
 */
export const COLLECTIONS: readonly CollectionSpec[] = [
  ERASURES,
  WEBHOOKS,
  INBOUND_ENDPOINTS,
  ACCOUNTS,
  USERS,
  API_KEYS,
  SESSIONS,
  INVITATIONS,
  PASSWORD_RESETS,
  RECOVERY_CODES,
  LOGIN_CHALLENGES,
  OIDC_LOGINS,
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
