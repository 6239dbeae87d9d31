import type { CollectionSpec } from '@svcforms/document-store';
import { IDEMPOTENCY_KEYS } from '@svcforms/http-kit';
import { ACCOUNTS, API_KEYS, LOGIN_FAILURES, SESSIONS, USERS } from '@svcforms/identity';
import {
  DELIVERIES,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  POPUP_COUNTERS,
  RECOVERIES,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
} from '@svcforms/records';
import { DEAD_LETTERS, MAILS } from '@svcforms/webhook-dispatcher/collections';

/**
 * All that the product stores, in the order in which a dump holds it. What has sealed secrets comes early, so that a key that
 * doesn't fit is noticed before much is restored. Submissions come before tasks: `dump.ts` says why.
 */
export const COLLECTIONS: readonly CollectionSpec[] = [
  WEBHOOKS,
  INBOUND_ENDPOINTS,
  ACCOUNTS,
  USERS,
  API_KEYS,
  SESSIONS,
  LOGIN_FAILURES,
  FORMS,
  POPUP_COUNTERS,
  SUBMISSIONS,
  TASKS,
  RECOVERIES,
  DELIVERIES,
  MAILS,
  DEAD_LETTERS,
  INBOUND_REQUESTS,
  IDEMPOTENCY_KEYS,
];
