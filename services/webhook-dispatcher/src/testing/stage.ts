import type { BusEvent } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { createGuardedClient, parsePolicy } from '@svcforms/outbound';
import {
  DELIVERIES,
  FORMS,
  NOTIFICATION_ADDRESSES,
  RECOVERIES,
  SUBMISSIONS,
  WEBHOOKS,
  type DeliveryRecord,
  type FormRecord,
  type NotificationAddressRecord,
  type RecoveryRecord,
  type SubmissionRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { USERS, type UserRecord } from '@svcforms/identity';
import { poll, tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { DEAD_LETTERS, type DeadLetterRecord } from '../fan-out/dead-letters.ts';
import { MAILS, type MailRecord } from '../mail/mail-record.ts';
import { createMailer } from '../mail/mailer.ts';
import { createDispatcher, type Dispatcher } from '../service.ts';
import { withFaults, type Faults } from './faults.ts';
import { startWebhookEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts';
import { eventFor, secretBox, webhookRecord } from './records.ts';

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

type Config = Partial<Parameters<typeof createDispatcher>[0]>;
type Deps = Partial<Parameters<typeof createDispatcher>[1]>;

/** A dispatcher, as a process of its own would be. */
export interface Actor extends Dispatcher {
  faults: Faults;
  log: LogLine[];
}

function openCollections(store: DocumentStore) {
  return {
    deliveries: store.collection<DeliveryRecord>(DELIVERIES),
    webhooks: store.collection<WebhookRecord>(WEBHOOKS),
    submissions: store.collection<SubmissionRecord>(SUBMISSIONS),
    deadLetters: store.collection<DeadLetterRecord>(DEAD_LETTERS),
    recoveries: store.collection<RecoveryRecord>(RECOVERIES),
    forms: store.collection<FormRecord>(FORMS),
    users: store.collection<UserRecord>(USERS),
    mails: store.collection<MailRecord>(MAILS),
    addresses: store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES),
  };
}

/** What a test of the dispatcher needs around it: engines, a endpoint, and short ways to look at both. */
export interface Stage extends ReturnType<typeof openCollections> {
  webhookEndpoint: WebhookEndpoint;
  /** Starts a dispatcher; it is stopped when the test is over. Retries come after 50 ms, three times. */
  startDispatcher(config?: Config, deps?: Deps): Promise<Actor>;
  /** Stores a webhook that points to the endpoint. */
  addWebhook(path: string, values?: Partial<WebhookRecord>, secret?: string): Promise<WebhookRecord>;
  /** Publishes events of the webhook's form. */
  publish(webhook: WebhookRecord, count?: number, values?: Partial<BusEvent>): Promise<BusEvent[]>;
  /** Resolves with the webhook's deliveries when there are so many, all in one of these states. */
  settled(
    webhook: WebhookRecord,
    count: number,
    statuses?: readonly DeliveryRecord['status'][],
  ): Promise<DeliveryRecord[]>;
  close(): Promise<void>;
}

/** What the tests of a suite stand on: the engines are the same for all, the stage is each test's own. */
export interface Ground {
  pair: StoreAndBus;
  stage: Stage;
}

export async function openStage(pair: StoreAndBus): Promise<Stage> {
  const { store, bus } = pair;
  const webhookEndpoint = await startWebhookEndpoint();
  const client = createGuardedClient(parsePolicy({ allowedTargets: ['127.0.0.0/8'], allowHttp: true }));
  const collections = openCollections(store);
  const { deliveries, webhooks } = collections;
  const mailer = createMailer({ folder: tempFolder(), from: 'SvcForms <no-reply@forms.example>' });
  const actors: Actor[] = [];
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
          ...config,
        },
        {
          store: faults.store,
          bus: faults.bus,
          client,
          mailer,
          secretBox,
          log: { info: write('info'), warn: write('warn'), error: write('error') },
          ...deps,
        },
      );
      await dispatcher.start();
      const actor = { ...dispatcher, faults, log };
      actors.push(actor);
      return actor;
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
    async settled({ _id: webhookId }, count, statuses = ['delivered']) {
      await poll(
        async () =>
          (await deliveries.count({ webhookId, status: { $in: statuses } })) === count &&
          (await deliveries.count({ webhookId })) === count,
        {
          what: `${count} deliveries that are ${statuses.join(' or ')}`,
          everyMs: 20 + count / 10,
          // A machine that is busy with other suites delivers a hundred a second.
          timeoutMs: TEST_TIMEOUT_MS + count * 10,
        },
      );
      return deliveries.find({ webhookId });
    },
    async close() {
      // What hangs is cut off, so that nobody waits for it.
      await webhookEndpoint.close();
      for (const { faults } of actors) faults.bury();
      await Promise.all(actors.map((actor) => actor.stop()));
      client.close();
      for (const collection of Object.values(collections)) await collection.deleteMany({});
    },
  };
}
