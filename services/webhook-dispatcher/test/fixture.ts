import type { BusEvent } from '@svcforms/contracts';
import { cacheStore, type DocumentStore } from '@svcforms/document-store';
import type { StoreAndBus } from '@svcforms/event-bus/testing';
import type { Service } from '@svcforms/http';
import { createGuardedClient, parsePolicy } from '@svcforms/outbound';
import {
  DELIVERIES,
  FORMS,
  NOTIFICATION_ADDRESSES,
  RECOVERIES,
  SUBMISSIONS,
  TASKS,
  WEBHOOK_HEALTH,
  WEBHOOKS,
  type DeliveryRecord,
  type FormRecord,
  type NotificationAddressRecord,
  type RecoveryRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookHealthRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { ACCOUNTS, USERS, type AccountRecord, type UserRecord } from '@svcforms/identity';
import { poll, tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { DEAD_LETTERS, type DeadLetterRecord } from '../src/fan-out/dead-letters.ts';
import { MAILS, type MailRecord } from '../src/mail/mail-record.ts';
import { createMailer } from '../src/mail/mailer.ts';
import { createDispatcher } from '../src/service.ts';
import { withFaults, type Faults } from './faults.ts';
import { startWebhookEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts';
import { eventFor, secretBox, webhookRecord } from './records.ts';

interface LogLine {
  level: 'info' | 'warn' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

type Config = Partial<Parameters<typeof createDispatcher>[0]>;
type Deps = Partial<Parameters<typeof createDispatcher>[1]>;

/** A dispatcher that behaves like a process of its own. */
interface RunningDispatcher extends Service {
  faults: Faults;
  log: LogLine[];
}

function openCollections(store: DocumentStore) {
  return {
    deliveries: store.collection<DeliveryRecord>(DELIVERIES),
    webhooks: store.collection<WebhookRecord>(WEBHOOKS),
    webhookHealth: store.collection<WebhookHealthRecord>(WEBHOOK_HEALTH),
    submissions: store.collection<SubmissionRecord>(SUBMISSIONS),
    deadLetters: store.collection<DeadLetterRecord>(DEAD_LETTERS),
    recoveries: store.collection<RecoveryRecord>(RECOVERIES),
    forms: store.collection<FormRecord>(FORMS),
    tasks: store.collection<TaskRecord>(TASKS),
    accounts: store.collection<AccountRecord>(ACCOUNTS),
    users: store.collection<UserRecord>(USERS),
    mails: store.collection<MailRecord>(MAILS),
    addresses: store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES),
  };
}

/**
 * The test environment of a dispatcher: collections, an endpoint, and helpers for both.
 */
export interface Fixture extends ReturnType<typeof openCollections> {
  webhookEndpoint: WebhookEndpoint;
  /**
   * Starts a dispatcher, which stops after the test. It retries three times, after 50 ms each.
   */
  startDispatcher(config?: Config, deps?: Deps): Promise<RunningDispatcher>;
  /** Stores a webhook that points to the endpoint. */
  addWebhook(path: string, values?: Partial<WebhookRecord>, secret?: string): Promise<WebhookRecord>;
  /** Publishes events of the webhook's form. */
  publish(webhook: WebhookRecord, count?: number, values?: Partial<BusEvent>): Promise<BusEvent[]>;
  /**
   * Waits for `count` deliveries of the webhook, all with one of these statuses, and returns them.
   */
  finished(
    webhook: WebhookRecord,
    count: number,
    statuses?: readonly DeliveryRecord['status'][],
  ): Promise<DeliveryRecord[]>;
  close(): Promise<void>;
}

/**
 * What the tests of a suite share: all use the same backends, and each has a fixture of its own.
 */
export interface SuiteContext {
  pair: StoreAndBus;
  fixture: Fixture;
}

export async function openFixture(pair: StoreAndBus): Promise<Fixture> {
  const { store, bus } = pair;
  const webhookEndpoint = await startWebhookEndpoint();
  const client = createGuardedClient(parsePolicy({ allowedTargets: ['127.0.0.0/8'], allowHttp: true }));
  const collections = openCollections(store);
  const { deliveries, webhooks } = collections;
  const mailer = createMailer({ folder: tempFolder(), from: 'SvcForms <no-reply@forms.example>' });
  const dispatchers: RunningDispatcher[] = [];
  await store.ensureIndexes();

  return {
    webhookEndpoint,
    ...collections,
    async startDispatcher(config, deps) {
      const log: LogLine[] = [];
      const write = (level: LogLine['level']) => (fields: object, message: string) =>
        void log.push({ level, fields: fields as LogLine['fields'], message });
      const faults = withFaults(pair);
      const dispatcher = createDispatcher(
        {
          retryScheduleSeconds: [0.05, 0.05, 0.05],
          deliveryTimeoutMs: 10_000,
          disablePolicy: { disableAfterMs: 72 * 3600_000, disableMinFailures: 10 },
          mailLimits: { dailyQuota: 0, digestAfter: 0 },
          baseUrl: 'https://forms.example',
          soleProcess: false,
          slack: null,
          ...config,
        },
        {
          // Each process has a cache of its own.
          store: cacheStore({ ...store, ...faults.store }, bus),
          bus: faults.bus,
          client,
          mailer,
          secretBox,
          log: { info: write('info'), warn: write('warn'), error: write('error') },
          ...deps,
        },
      );
      await dispatcher.start();
      const running = { ...dispatcher, faults, log };
      dispatchers.push(running);
      return running;
    },
    async addWebhook(path, values, secret) {
      const webhook = webhookRecord({ url: webhookEndpoint.url(path), ...values }, secret);
      await webhooks.insertOne(webhook);
      return webhook;
    },
    async publish(webhook, count = 1, values = {}) {
      const events = Array.from({ length: count }, () => eventFor(webhook, values));
      await Promise.all(events.map((event) => bus.publish(event)));
      return events;
    },
    async finished({ _id: webhookId }, count, statuses = ['delivered']) {
      await poll(
        async () =>
          (await deliveries.count({ webhookId, status: { $in: statuses } })) === count &&
          (await deliveries.count({ webhookId })) === count,
        {
          what: `${count} deliveries that are ${statuses.join(' or ')}`,
          everyMs: 20 + count / 10,
          // A machine that also runs other suites delivers 100 per second.
          timeoutMs: TEST_TIMEOUT_MS + count * 10,
        },
      );
      return deliveries.find({ webhookId });
    },
    async close() {
      // Ends requests that hang, so that nothing waits for them.
      await webhookEndpoint.close();
      for (const { faults } of dispatchers) faults.rejectPending();
      await Promise.all(dispatchers.map((running) => running.stop()));
      client.close();
      for (const collection of Object.values(collections)) await collection.deleteMany({});
    },
  };
}
