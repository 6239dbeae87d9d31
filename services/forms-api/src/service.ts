import type { DocumentStore } from '@svcforms/document-store';
import { DURABLES, type EventBus } from '@svcforms/event-bus';
import { createForgetReplies, type Service } from '@svcforms/http';
import { createPasswordHasher, type PasswordHasher } from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { InsertWithEvents } from '@svcforms/outbox';
import { createPayloadRenderer } from '@svcforms/payload-formats';
import { HOUR_MS, periodicJobs, type Clock, type Logger, type Tracing } from '@svcforms/primitives';
import { createEraser, createSubmissionOutbox } from '@svcforms/records';
import { busLag, outboxAge } from '@svcforms/runtime';
import type { SecretBox } from '@svcforms/signing';
import { openCollections } from './collections.ts';
import type { FormsApiConfig } from './config.ts';
import { readDashboard, type DashboardFiles } from './dashboard/dashboard-files.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { createRetention } from './erasures/retention.ts';
import { createAddressVerification } from './notifications/address-verification.ts';
import { oidcAccountId } from './oidc/oidc-account.ts';
import { apiRoutes } from './routes.ts';
import { storeScriptSightings } from './script-sightings/script-sightings.ts';

const RETENTION_INTERVAL_MS = HOUR_MS;

interface FormsApiDeps {
  store: DocumentStore;
  bus: EventBus;
  secretBox: SecretBox;
  guard: Guard;
  /**
   * Sends test events to webhooks, asks Slack who somebody is, and fetches the documents of agents.
   */
  client: Pick<GuardedClient, 'post' | 'get'>;
  /** Present when store and bus share a database. */
  insertWithEvents?: InsertWithEvents | undefined;
  /** Default: full cost. */
  passwords?: PasswordHasher;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
  now?: Clock;
}

/**
 * Accounts with their users and keys; forms with their submissions, inbound endpoints, webhooks and
 * deliveries; and the dashboard for them. It doesn't start when the dashboard hasn't been built.
 */
export function createFormsApi(config: FormsApiConfig, deps: FormsApiDeps): Service {
  const { store, bus, log, now = Date.now, passwords = createPasswordHasher() } = deps;
  const collections = openCollections(store);
  const { forms } = collections;
  const sink = createSubmissionOutbox(deps);
  const eraser = createEraser({ store, forgetReplies: createForgetReplies({ store, now }), now });
  // Previews wait for each other, round-robin across accounts.
  const renderer = createPayloadRenderer({ templateProcesses: 1 });
  const addressVerification = createAddressVerification({ ...collections, now });
  const stopping = new AbortController();
  const { signal } = stopping;
  const { submissions } = sink;
  const job = periodicJobs({ event: 'retention.failed', log, now });
  const retention = job(
    'erasing expired submissions',
    RETENTION_INTERVAL_MS,
    createRetention({ ...collections, submissions, eraser, bus, log, signal, now }),
  );
  const formDeletions = job('resuming deletions of forms', RETENTION_INTERVAL_MS, resumeFormDeletions);
  let stopSightings = () => {};
  let dashboard: DashboardFiles = { page: '', assets: new Map() };

  /**
   * Has the dispatcher delete what is left of forms that were marked as deleted. A conditional
   * deletion that was interrupted, and a dump that was written meanwhile, leave such forms without
   * their record.
   */
  async function resumeFormDeletions(): Promise<void> {
    for (const form of await forms.find({ deletedAt: { $exists: true } })) await eraser.recordForm(form);
  }

  /**
   * Names the accounts that require single sign-on while the settings have no provider for them.
   */
  async function warnOfLockedAccounts(): Promise<void> {
    const { accounts } = collections;
    const provided = config.oidc && (await oidcAccountId(config.oidc, accounts));
    for (const { _id } of await accounts.find({ singleSignOnRequired: true, erasedAt: null })) {
      if (_id === provided) continue;
      log.warn(
        { event: 'oidc.missing', accountId: _id },
        'the account requires single sign-on, but there is no identity provider for it: nobody can log in. Set SVC_OIDC_ISSUER and SVC_OIDC_ACCOUNT, or run: npm run admin -- account set-single-sign-on ACCOUNT optional',
      );
    }
  }

  return {
    routes: [
      ...apiRoutes(config, {
        ...deps,
        collections,
        sink,
        eraser,
        addressVerification,
        passwords,
        renderer,
        now,
      }),
      ...docsRoutes(config),
      ...dashboardRoutes(() => dashboard),
    ],
    // The dispatcher reports the lag too, but not when it is cut off from the bus.
    metrics: [outboxAge('submissions', sink.outbox), busLag(bus, DURABLES)],
    async start() {
      dashboard = readDashboard(config.dashboardFolder);
      await resumeFormDeletions();
      await warnOfLockedAccounts();
      await addressVerification.recipients.trustAllSaved();
      sink.outbox.start();
      retention.start();
      formDeletions.start(RETENTION_INTERVAL_MS);
      stopSightings = storeScriptSightings({ bus, forms, log, now });
    },
    async stop() {
      stopping.abort();
      stopSightings();
      await Promise.all([retention.stop(), formDeletions.stop(), sink.outbox.stop(), renderer.stop()]);
    },
  };
}
