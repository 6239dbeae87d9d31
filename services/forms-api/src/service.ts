import { findTogether, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { outboxAge, type Service } from '@svcforms/http-kit';
import {
  ACCOUNTS,
  API_KEYS,
  createLogin,
  createOwners,
  createSessions,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type UserRecord,
} from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { InsertWithEvents } from '@svcforms/outbox';
import {
  createSubmissionOutbox,
  DELIVERIES,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  POPUP_COUNTERS,
  RECOVERIES,
  WEBHOOKS,
  type DeliveryRecord,
  type FormRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
  type PopupCounterRecord,
  type RecoveryRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { Logger } from '@svcforms/http-kit';
import type { FormsApiConfig } from './config.ts';
import { readDashboard, type DashboardFiles } from './dashboard/dashboard-files.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { createFormRemoval } from './forms/remove-form.ts';
import { createCount } from './popup-counters/count-together.ts';
import { routes } from './routes.ts';

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
  const { store, secretBox, guard, client, now = Date.now } = deps;
  const forms = store.collection<FormRecord>(FORMS);
  const users = store.collection<UserRecord>(USERS);
  const counters = store.collection<PopupCounterRecord>(POPUP_COUNTERS);
  const sink = createSubmissionOutbox(deps);
  const { removeForm, finishRemovals } = createFormRemoval(store);
  let dashboard: DashboardFiles = { page: '', assets: new Map() };
  return {
    routes: [
      ...routes({
        ...sink,
        accounts: store.collection<AccountRecord>(ACCOUNTS),
        users,
        keys: store.collection<ApiKeyRecord>(API_KEYS),
        sessions: createSessions({ store, now }),
        login: createLogin({ store, now }),
        letGo: createOwners({ users, now }),
        forms,
        findForm: findTogether(forms, '_id'),
        removeForm,
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
    figures: [outboxAge('submissions', sink.outbox)],
    async start() {
      dashboard = readDashboard(config.dashboardFolder);
      await finishRemovals();
      sink.outbox.start();
    },
    stop: () => sink.outbox.stop(),
  };
}
