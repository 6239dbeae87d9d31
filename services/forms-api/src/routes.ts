import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { createSearchLimiter, type Route } from '@svcforms/http';
import {
  createKeepGroups,
  createKeyAuthenticator,
  createPolicyIssues,
  type PasswordHasher,
} from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { PayloadRenderer } from '@svcforms/payload-formats';
import type { Clock, Logger } from '@svcforms/primitives';
import { createSeats, type Eraser, type SubmissionSink } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { createLoginParts } from './accounts/login-parts.ts';
import { accountRoutes } from './accounts/routes.ts';
import { agentRoutes } from './agents/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import type { Collections } from './collections.ts';
import type { FormsApiConfig } from './config.ts';
import { erasureRoutes } from './erasures/routes.ts';
import { formRoutes } from './forms/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { inboundRoutes } from './inbound-endpoints/routes.ts';
import type { AddressVerification } from './notifications/address-verification.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { oidcAccountId } from './oidc/oidc-account.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { popupCounterRoutes } from './popup-counters/routes.ts';
import { createSpamFilter } from './spam/spam-filter.ts';
import { spamRoutes } from './spam/routes.ts';
import { submissionRoutes } from './submissions/routes.ts';
import { summaryRoutes } from './summary/routes.ts';
import { eventTypeRoutes } from './webhooks/event-type-routes.ts';
import { receiptKeyRoutes } from './receipt-keys.ts';
import { publicKeyRoutes } from './webhooks/public-keys.ts';
import { filterRoutes } from './webhooks/filter-routes.ts';
import { healthRoutes } from './webhooks/health-routes.ts';
import { accountWebhookRoutes, webhookRoutes } from './webhooks/routes.ts';

interface ApiDeps {
  store: DocumentStore;
  collections: Collections;
  sink: SubmissionSink;
  eraser: Eraser;
  addressVerification: AddressVerification;
  passwords: PasswordHasher;
  secretBox: SecretBox;
  guard: Guard;
  client: Pick<GuardedClient, 'post' | 'get'>;
  renderer: PayloadRenderer;
  log: Pick<Logger, 'error'>;
  now: Clock;
}

/**
 * The management API and the public submission: the routes of each feature, with what the feature
 * needs.
 */
export function apiRoutes(
  {
    baseUrl,
    deliveryTimeoutMs,
    sendsEmail,
    oidc,
    slack,
    auditRetentionDays,
  }: Pick<
    FormsApiConfig,
    'baseUrl' | 'deliveryTimeoutMs' | 'sendsEmail' | 'oidc' | 'slack' | 'auditRetentionDays'
  >,
  deps: ApiDeps,
): Route[] {
  const { collections, sink, eraser, addressVerification, secretBox, now } = deps;
  const { accounts, users, groups, forms, addresses, endpoints, tasks, webhooks, deliveries } = collections;
  const { submissions } = sink;
  const { recipients, requestVerification } = addressVerification;
  const findForm = createCachedFinder(forms, '_id');
  const enterSearch = createSearchLimiter({ maxQueued: 2 });
  const enterExport = createSearchLimiter({ maxQueued: 0 });
  const { store, passwords, guard, client, renderer, log } = deps;
  const { auditLog, inboundRequests, popupCounters, recoveries, webhookHealth } = collections;
  const loginParts = createLoginParts({ store, accounts, users, issuer: oidc?.issuer, baseUrl, now });
  const webhookDeps = {
    forms,
    webhooks,
    deliveries,
    eraser,
    recoveries,
    secretBox,
    guard,
    client,
    renderer,
    deliveryTimeoutMs,
    baseUrl,
    now,
  };
  return [
    ...accountRoutes({
      ...loginParts,
      store,
      collections,
      passwords,
      secretBox,
      baseUrl,
      sendsEmail,
      singleSignOn: oidc && { issuer: oidc.issuer, accountId: () => oidcAccountId(oidc, accounts) },
      slack,
      client,
      now,
    }),
    ...oidcRoutes({
      ...loginParts,
      ...collections,
      config: oidc,
      store,
      passwords,
      baseUrl,
      now,
    }),
    ...agentRoutes({ store, collections, baseUrl, auditRetentionDays, client, log, now }),
    ...erasureRoutes({ forms, submissions, tasks, webhooks, deliveries, eraser, now }),
    ...auditRoutes({
      auditLog,
      forms,
      webhooks,
      deliveries,
      endpoints,
      submissions,
      tasks,
      users,
      keys: collections.keys,
      groups,
    }),
    ...groupRoutes({ groups, users, forms, now }),
    ...formRoutes({
      forms,
      versions: collections.versions,
      recipients,
      policyIssues: createPolicyIssues({ users, groups }),
      keepGroups: createKeepGroups({ groups, now }),
      eraser,
      enterSearch,
      now,
    }),
    ...notificationRoutes({ addresses, users, forms, requestVerification, now }),
    ...submissionRoutes({
      ...sink,
      seats: createSeats({ submissions, now }),
      forms,
      findForm,
      webhooks,
      deliveries,
      tasks,
      enterSearch,
      enterExport,
      judgeSubmission: createSpamFilter({
        secretBox,
        authenticate: createKeyAuthenticator({ store, now }),
        now,
      }),
      eraser,
      baseUrl,
      now,
    }),
    ...spamRoutes({ findForm, secretBox, now }),
    ...summaryRoutes({ forms, submissions, enterSearch, now }),
    ...popupCounterRoutes({ forms, findForm, submissions, popupCounters, now }),
    ...inboundRoutes({ forms, endpoints, inboundRequests, secretBox, baseUrl, now }),
    ...webhookRoutes(webhookDeps),
    ...accountWebhookRoutes(webhookDeps),
    ...publicKeyRoutes({ webhooks }),
    ...receiptKeyRoutes({ secretBox }),
    ...eventTypeRoutes(),
    ...healthRoutes({ forms, webhooks, webhookHealth, now }),
    ...filterRoutes({ forms, webhooks, submissions, tasks, endpoints, enterSearch, baseUrl, now }),
  ];
}
