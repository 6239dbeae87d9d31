import { createFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { every } from '@svcforms/primitives';
import { AUDIT_LOG, forgetReplies, type AuditRecord, type Service } from '@svcforms/http';
import { outboxAge } from '@svcforms/runtime';
import {
  ACCOUNTS,
  API_KEYS,
  createLogin,
  createOwners,
  createRights,
  createSessions,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type UserRecord,
} from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { InsertWithEvents } from '@svcforms/outbox';
import {
  createEraser,
  createSubmissionOutbox,
  DELIVERIES,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  MAIL_COUNTERS,
  NOTIFICATION_ADDRESSES,
  POPUP_COUNTERS,
  RECOVERIES,
  TASKS,
  WEBHOOKS,
  type DeliveryRecord,
  type FormRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
  type MailCounterRecord,
  type NotificationAddressRecord,
  type PopupCounterRecord,
  type RecoveryRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { Logger } from '@svcforms/primitives';
import type { FormsApiConfig } from './config.ts';
import { readDashboard, type DashboardFiles } from './dashboard/dashboard-files.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { createRetention } from './erasures/retention.ts';
import { createFormRemoval } from './forms/remove-form.ts';
import { createRecipients } from './notifications/recipients.ts';
import { createRequestVerification } from './notifications/request-verification.ts';
import { createCount } from './popup-counters/count-together.ts';
import { routes } from './routes.ts';

const RETENTION_EVERY_MS = 3600_000;

export interface FormsApiDeps {
  store: DocumentStore;
  bus: EventBus;
  secretBox: SecretBox;
  guard: Guard;
  /** Sends the samples that test a webhook. */
  client: Pick<GuardedClient, 'post'>;
  /** Where store and bus share a database. */
  insertWithEvents?: InsertWithEvents | undefined;
  log: Logger;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * Accounts with their users and keys; forms and what belongs to them: submissions, the inbound endpoint, webhooks and their
 * deliveries; and the dashboard for all of it. It doesn't start where the dashboard was not built.
 */
export function createFormsApi(config: FormsApiConfig, deps: FormsApiDeps): Service {
  const { store, secretBox, guard, client, log, now = Date.now } = deps;
  const forms = store.collection<FormRecord>(FORMS);
  const users = store.collection<UserRecord>(USERS);
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const counters = store.collection<PopupCounterRecord>(POPUP_COUNTERS);
  const sink = createSubmissionOutbox(deps);
  const eraser = createEraser({
    store,
    forgetReplies: (ids) => forgetReplies(store, ids, new Date(now()).toISOString()),
    now,
  });
  const { removeForm, finishRemovals } = createFormRemoval(store, eraser);
  const retention = every({
    intervalMs: RETENTION_EVERY_MS,
    now,
    work: createRetention({ accounts, forms, submissions: sink.submissions, tasks, eraser, log, now }),
    onError: (error) =>
      log.warn({ event: 'retention.failed', err: error }, 'looking for expired submissions failed; retrying'),
  });
  const addresses = store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES);
  const requestVerification = createRequestVerification({
    addresses,
    counters: store.collection<MailCounterRecord>(MAIL_COUNTERS),
    now,
  });
  const recipients = createRecipients({ forms, addresses, users, requestVerification, now });
  let dashboard: DashboardFiles = { page: '', assets: new Map() };
  return {
    routes: [
      ...routes({
        ...sink,
        accounts,
        users,
        keys: store.collection<ApiKeyRecord>(API_KEYS),
        auditLog: store.collection<AuditRecord>(AUDIT_LOG),
        sessions: createSessions({ store, now }),
        login: createLogin({ store, now }),
        rights: createRights({ users }),
        letGo: createOwners({ users, now }),
        forms,
        findForm: createFinder(forms, '_id'),
        removeForm,
        addresses,
        requestVerification,
        recipients,
        eraser,
        tasks,
        endpoints: store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS),
        inboundRequests: store.collection<InboundRequestsRecord>(INBOUND_REQUESTS),
        counters,
        count: createCount(counters),
        webhooks: store.collection<WebhookRecord>(WEBHOOKS),
        deliveries: store.collection<DeliveryRecord>(DELIVERIES),
        recoveries: store.collection<RecoveryRecord>(RECOVERIES),
        secretBox,
        guard,
        client,
        deliveryTimeoutMs: config.deliveryTimeoutMs,
        baseUrl: config.baseUrl,
        now,
      }),
      ...docsRoutes(config),
      ...dashboardRoutes(() => dashboard),
    ],
    metrics: [outboxAge('submissions', sink.outbox)],
    async start() {
      dashboard = readDashboard(config.dashboardFolder);
      await finishRemovals();
      await recipients.trustAllSaved();
      sink.outbox.start();
      retention.start();
    },
    async stop() {
      await Promise.all([retention.stop(), sink.outbox.stop()]);
    },
  };
}
