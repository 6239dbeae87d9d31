import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentStore } from '@svcforms/document-store';
import type { Consumption, EventBus } from '@svcforms/event-bus';
import { USERS, type UserRecord } from '@svcforms/identity';
import { every } from '@svcforms/primitives';
import { forgetReplies } from '@svcforms/http';
import { type Metric } from '@svcforms/runtime';
import type { GuardedClient } from '@svcforms/outbound';
import {
  createEraser,
  DELIVERIES,
  ERASURES,
  FORMS,
  MAIL_COUNTERS,
  NOTIFICATION_ADDRESSES,
  RECOVERIES,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  type DeliveryRecord,
  type ErasureRecord,
  type FormRecord,
  type MailCounterRecord,
  type NotificationAddressRecord,
  type RecoveryRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { DispatcherConfig } from './config.ts';
import { attempt } from './deliver/attempt.ts';
import { createDeliver } from './deliver/deliver.ts';
import { createFailingWebhooks } from './deliver/failing-webhooks.ts';
import { createFirstWrites } from './deliver/first-writes.ts';
import { createRecorder } from './deliver/recorder.ts';
import { createResultWriter } from './deliver/result-writer.ts';
import { openSecrets } from './deliver/secret-cache.ts';
import { createWebhookBook } from './deliver/webhook-book.ts';
import { createWebhookHealth } from './deliver/webhook-health.ts';
import { DEAD_LETTERS, type DeadLetterRecord } from './fan-out/dead-letters.ts';
import { createDispatcherMetrics } from './metrics.ts';
import { createErasureJob } from './erase/erasure-job.ts';
import { createFanOut } from './fan-out/fan-out.ts';
import { createComposeMail } from './mail/compose-mail.ts';
import { MAILS, type MailRecord } from './mail/mail-record.ts';
import type { Mailer } from './mail/mailer.ts';
import { createNotifyTasks } from './mail/notify-tasks.ts';
import { createNotifySubmissions } from './mail/notify-submissions.ts';
import { createLimitMails } from './mail/limit-mails.ts';
import { MAIL_WINDOWS, type MailWindowRecord } from './mail/mail-windows.ts';
import { createPostOffice } from './mail/post-office.ts';
import { createRecipients } from './mail/recipients.ts';
import { createRequestVerification } from './mail/request-verification.ts';
import { createTellOwners } from './mail/tell-owners.ts';
import { createTellUsers } from './mail/tell-users.ts';
import { createFinder } from './schedule/finder.ts';
import { createHoldings, type Holding } from './schedule/holdings.ts';
import { createPlaces, type PlaceLimits } from './schedule/places.ts';
import { createPump } from './schedule/pump.ts';
import { createRecovery } from './schedule/recovery.ts';
import { createStoreRetry } from './store-retry.ts';

/** The name that all replicas share their place in the log of events by. */
const DURABLE = 'dispatcher';
/** Another place in it, of those that make e-mails. */
const MAIL_DURABLE = 'notifier';
const CONSUME = { batch: 200, ackWaitMs: 30_000 };
/** After a batch of more than these, the next one is gathered for so long. */
const FEW_EVENTS = 4;
const GATHER_MS = 4;
const LIMITS: PlaceLimits = { perWebhook: 16, perAccount: 128, global: 512 };
const SECOND_MS = 1_000;
const HOUR_MS = 3600_000;
/** The history that the log keeps of what everybody has read. */
const LOG_HISTORY = { maxAgeMs: 7 * 24 * HOUR_MS, maxBytes: 1024 ** 3 };
const SWEEP_EVERY_MS = SECOND_MS;
const SCAN_EVERY_MS = 5 * SECOND_MS;
const RECOVER_EVERY_MS = SECOND_MS;
const HEALTH_EVERY_MS = SECOND_MS;
const ERASURE_LOOK_MS = 300;
const MAIL_GATHER_MS = 100;
const MAIL_EVERY_MS = SECOND_MS;
/** Pauses between the attempts to send a mail, in seconds. */
const MAIL_SCHEDULE = [5, 30, 120, 600, 1_800, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600];
const ATTEMPTS_MAY_TAKE_MS = 20 * SECOND_MS;
/** A mail that takes longer is sent again when its lease has run out. */
const MAILS_MAY_TAKE_MS = 10 * SECOND_MS;

export interface DispatcherDeps {
  store: Pick<DocumentStore, 'collection' | 'scrub'>;
  bus: Pick<EventBus, 'consume' | 'lag' | 'trim' | 'erase'>;
  client: Pick<GuardedClient, 'post'>;
  mailer: Pick<Mailer, 'send' | 'erase'>;
  secretBox: Pick<SecretBox, 'open'>;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** From 0 to 1, for jitter. */
  random?: () => number;
}

export interface Dispatcher {
  /** It has no calls: what it did is read from forms-api. */
  routes: readonly [];
  metrics: readonly Metric[];
  /** Begins to take events and to deliver. The store's indexes must be there. */
  start(): Promise<void>;
  /** Takes nothing more, lets attempts end (20 s at most), and gives the rest back to the store. */
  stop(): Promise<void>;
}

/**
 * Takes events from the bus and delivers them to webhooks. README.md tells the way of an event through the folders.
 * `config.limits`: attempts at once; 16 a webhook (fewer while it fails), 128 an account, 512 in all, unless given.
 * `config.mailScheduleSeconds`: pauses between the attempts to send a mail; over two days in all, unless given.
 */
export function createDispatcher(
  config: DispatcherConfig & { limits?: PlaceLimits; mailScheduleSeconds?: readonly number[] },
  deps: DispatcherDeps,
): Dispatcher {
  const { store, bus, client, log, now = Date.now, random = Math.random } = deps;
  const { deliveryTimeoutMs } = config;
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const retry = createStoreRetry({ signal: givingUp.signal, log });

  const taking = createStoreRetry({ signal: stopping.signal, log });
  const places = createPlaces<Holding>(config.limits ?? LIMITS);
  const firstWrites = createFirstWrites({ deliveries, retry: taking });
  const holdings = createHoldings({
    deliveries,
    firstWrites,
    places,
    owner: randomUUID(),
    deliveryTimeoutMs,
    now,
  });
  const book = createWebhookBook({ webhooks, retry, now });
  const health = createWebhookHealth(webhooks);
  const finder = createFinder({ deliveries, holdings, places, wake: () => pump.wake(), now });
  const secretsOf = openSecrets(deps.secretBox);
  const { metrics, counting, attempting } = createDispatcherMetrics({
    deliveries,
    bus,
    durables: [DURABLE, MAIL_DURABLE],
    now,
  });
  const recorder = createRecorder({
    results: createResultWriter({ deliveries, retry }),
    firstWrites,
    holdings,
    book,
    health,
    onScheduled: (time) => sweeping.runAt(time),
    log,
  });
  const pump = createPump({
    places,
    deliver: createDeliver({
      holdings,
      book,
      attempt: (delivery, webhook) =>
        attempting(attempt(delivery, webhook, { client, secretsOf, deliveryTimeoutMs, now })),
      recorder: counting(recorder),
      policy: config,
      now,
      random,
    }),
    refill: (owner) => finder.refill(owner),
    onError(error, { delivery }) {
      // The lease runs out, and the delivery is due again.
      holdings.forget(delivery._id);
      if (!stopping.signal.aborted)
        log.error({ event: 'delivery.broken', deliveryId: delivery._id, err: error }, 'an attempt broke off');
    },
  });
  const recover = createRecovery({
    recoveries: store.collection<RecoveryRecord>(RECOVERIES),
    deliveries,
    places,
    wake: () => pump.wake(),
    log,
    signal: stopping.signal,
    now,
  });
  const forms = store.collection<FormRecord>(FORMS);
  const mails = store.collection<MailRecord>(MAILS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const users = store.collection<UserRecord>(USERS);
  const checkFailing = createFailingWebhooks({ webhooks, policy: config.disablePolicy, log, now });
  const tellOwners = createTellOwners({
    webhooks,
    users,
    mails,
    log,
    now,
  });
  const tellUsers = createTellUsers({ users, mails, now });
  const notifyTasks = createNotifyTasks({ tasks, users, mails, retry: taking, now });
  const addresses = store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES);
  const requestVerification = createRequestVerification({ addresses, mails, now });
  const notifySubmissions = createNotifySubmissions({
    forms,
    mails,
    recipientsOf: createRecipients({ addresses, users, now }),
    limitMails: createLimitMails({
      mails,
      windows: store.collection<MailWindowRecord>(MAIL_WINDOWS),
      counters: store.collection<MailCounterRecord>(MAIL_COUNTERS),
      users,
      limits: config.mailLimits,
      log,
      now,
    }),
    retry: taking,
    now,
  });
  const sendDueMails = createPostOffice({
    mails,
    compose: createComposeMail({ forms, submissions, tasks, mails, addresses, now, baseUrl: config.baseUrl }),
    mailer: deps.mailer,
    retryScheduleSeconds: config.mailScheduleSeconds ?? MAIL_SCHEDULE,
    log,
    signal: stopping.signal,
    now,
  });
  const deadLetters = store.collection<DeadLetterRecord>(DEAD_LETTERS);
  const erasure = createErasureJob({
    erasures: store.collection<ErasureRecord>(ERASURES),
    mails,
    deadLetters,
    eraser: createEraser({
      store,
      forgetReplies: (ids) => forgetReplies(store, ids, new Date(now()).toISOString()),
      now,
    }),
    bus,
    store,
    mailer: deps.mailer,
    dropErased: (eventIds) => holdings.dropErased(eventIds),
    log,
    now,
  });
  const fanOut = createFanOut({
    book,
    submissions,
    deadLetters,
    holdings,
    retry: taking,
    log,
    now,
  });

  const periodic = (intervalMs: number, what: string, work: () => Promise<void>) => {
    let isFailing = false;
    return every({
      intervalMs,
      now,
      async work() {
        await work();
        isFailing = false;
      },
      onError(error) {
        if (!isFailing) log.warn({ event: 'dispatcher.waiting', what, err: error }, `${what} must wait`);
        isFailing = true;
      },
    });
  };
  const sweeping = periodic(SWEEP_EVERY_MS, 'looking for what is due', async () => {
    places.resume(now(), await book.liftedPauses());
    await finder.sweep();
  });
  const scanning = periodic(SCAN_EVERY_MS, 'looking for what waits', () => finder.scan());
  const renewing = periodic(holdings.renewEveryMs, 'renewing leases', async () => {
    await holdings.renew();
    await holdings.returnExcess();
  });
  const recovering = periodic(RECOVER_EVERY_MS, 'putting failed deliveries into the queue again', recover);
  const reporting = periodic(HEALTH_EVERY_MS, 'writing how webhooks are doing', () => health.flush());
  const judging = periodic(judgeEveryMs(config.disablePolicy), 'looking for failing webhooks', async () => {
    // A success that isn't written yet counts.
    await health.flush();
    await checkFailing();
  });
  const mailing = periodic(MAIL_EVERY_MS, 'sending mails', async () => {
    await tellOwners();
    await requestVerification();
    await tellUsers();
    await sendDueMails();
  });
  const trimming = periodic(HOUR_MS, 'trimming the log', () => bus.trim(LOG_HISTORY));
  const watching = periodic(ERASURE_LOOK_MS, 'looking for erasures', () => erasure.look());
  const erasing = periodic(SECOND_MS, 'erasing', () => erasure.work());
  const working = [sweeping, scanning, recovering, judging, trimming, watching, erasing];
  const consumptions: Consumption[] = [];

  return {
    routes: [],
    metrics,

    async start() {
      if (config.soleProcess) await finder.freeAllLeases();
      consumptions.push(
        await bus.consume(DURABLE, CONSUME, async (batch) => {
          const handled = await fanOut(batch);
          pump.wake();
          // Under load the next ones gather while these are attempted: each batch costs a query.
          if (batch.length > FEW_EVENTS)
            await pause(GATHER_MS, undefined, { signal: stopping.signal }).catch(() => {});
          return handled;
        }),
        await bus.consume(MAIL_DURABLE, CONSUME, async (batch) => {
          const made = [await notifySubmissions(batch), await notifyTasks(batch)];
          if (made.includes(true)) mailing.runAt(now());
          // The next ones gather meanwhile: each batch costs queries, and a mail may take a moment.
          if (batch.length < CONSUME.batch)
            await pause(MAIL_GATHER_MS, undefined, { signal: stopping.signal }).catch(() => {});
        }),
      );
      for (const each of [renewing, reporting, mailing, ...working]) each.start();
    },

    async stop() {
      stopping.abort();
      const attempts = pump.stop(ATTEMPTS_MAY_TAKE_MS);
      const mails = within(MAILS_MAY_TAKE_MS, mailing.stop());
      await Promise.all([...consumptions.map((each) => each.stop()), ...working.map((each) => each.stop())]);
      await giveBack();
      await attempts;
      await mails;
      givingUp.abort();
      await Promise.all([renewing.stop(), reporting.stop()]);
      // Once more: a refill that was under way may have brought some.
      await Promise.all([giveBack(), health.flush().catch(sayNotFlushed)]);
    },
  };

  function giveBack(): Promise<void> {
    return holdings.returnAll().catch(sayNotFlushed);
  }

  function sayNotFlushed(error: unknown): void {
    log.warn(
      { event: 'dispatcher.not_flushed', err: error },
      'the store is away; leases run out by themselves',
    );
  }
}

/** Often enough that a time which tests have shrunken is kept to, and no oftener than a long one needs. */
function judgeEveryMs({ disableAfterMs }: DispatcherConfig['disablePolicy']): number {
  return Math.min(10 * SECOND_MS, Math.max(100, disableAfterMs / 100));
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, tooLate]);
  clearTimeout(timer);
}
