import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createSharedAccess } from '@svcforms/http';
import type { GuardedClient } from '@svcforms/outbound';
import { createPayloadRenderer } from '@svcforms/payload-formats';
import type { Clock, Logger, Tracing } from '@svcforms/primitives';
import { FORMS, type FormRecord } from '@svcforms/records';
import type { Metric } from '@svcforms/runtime';
import type { SecretBox } from '@svcforms/signing';
import type { DispatcherConfig } from './config.ts';
import { createAttempt } from './deliver/attempt.ts';
import { createDeliver } from './deliver/deliver.ts';
import { createWebhookRates } from './deliver/webhook-rates.ts';
import { openHeaders, openSecrets, openSigningKey } from './deliver/secret-cache.ts';
import { createRenderBody } from './deliver/render-body.ts';
import { createWorkers } from './deliver/workers.ts';
import { createErasure } from './erase/erasure.ts';
import { createFanOut } from './fan-out/fan-out.ts';
import { periodicJobs } from './jobs/periodic-jobs.ts';
import { createMail } from './mail/mail.ts';
import type { Mailer } from './mail/mailer.ts';
import { createDispatcherMetrics } from './metrics.ts';
import { createDeliveryQueue } from './queue/delivery-queue.ts';
import type { ConcurrencyLimits } from './queue/permit-rules.ts';
import { createRecorder } from './record/recorder.ts';
import { createSlackMessages } from './slack/slack-messages.ts';
import { createStoreRetry } from './store/store-retry.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

const LIMITS: ConcurrencyLimits = { perWebhook: 16, perAccount: 128, global: 512 };
/** Two, so that the slow templates of one account leave one to the others. */
const TEMPLATE_PROCESSES = 2;
const HOUR_MS = 3600_000;
/** How much of what all consumers have acknowledged stays in the event log. */
const LOG_HISTORY = { maxAgeMs: 7 * 24 * HOUR_MS, maxBytes: 1024 ** 3 };
const ATTEMPTS_MAY_TAKE_MS = 20_000;

interface DispatcherDeps {
  store: Pick<DocumentStore, 'collection' | 'scrub'>;
  bus: Pick<EventBus, 'consume' | 'lag' | 'trim' | 'erase' | 'sharedValues'>;
  client: Pick<GuardedClient, 'post'>;
  mailer: Pick<Mailer, 'send' | 'erase'>;
  secretBox: Pick<SecretBox, 'open' | 'seal'>;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  now?: Clock;
  /** Returns a number from 0 to 1, for jitter. */
  random?: () => number;
}

export interface Dispatcher {
  /** It has no API of its own: forms-api reads what it stores. */
  routes: readonly [];
  metrics: readonly Metric[];
  /** Starts to consume events and to deliver. The store's indexes must exist. */
  start(): Promise<void>;
  /**
   * Takes nothing more, waits for running attempts (20 s at most), and returns the rest to the
   * store.
   */
  stop(): Promise<void>;
}

/**
 * Delivers events to webhooks and sends emails about them; README.md follows one delivery through
 * the folders. `limits`: default 16 attempts at once per webhook, 128 per account and 512
 * altogether.
 */
export function createDispatcher(
  config: DispatcherConfig & { limits?: ConcurrencyLimits; mailScheduleSeconds?: readonly number[] },
  deps: DispatcherDeps,
): Dispatcher {
  const { store, bus, client, mailer, secretBox, tracing, log, now = Date.now, random = Math.random } = deps;
  const { deliveryTimeoutMs, limits = LIMITS } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  const attemptsEnded = new AbortController();
  const retry = {
    intake: createStoreRetry({ signal, log }),
    results: createStoreRetry({ signal: attemptsEnded.signal, log }),
  };
  const createJob = periodicJobs({ log, now });
  const { metrics, count, countInFlight } = createDispatcherMetrics({ store, bus, now });

  const { disablePolicy } = config;
  const webhooks = createWebhooks({ store, disablePolicy, retry: retry.results, createJob, log, now });
  const { cache: webhookCache, health, attempts } = webhooks;
  const liftedPauses = () => webhookCache.liftedPauses();
  const queue = createDeliveryQueue(
    { limits, deliveryTimeoutMs },
    { store, retry, liftedPauses, createJob, log, signal, now },
  );
  const fanOut = createFanOut({
    store,
    bus,
    webhooks,
    queue,
    origin: config.baseUrl,
    retry: retry.intake,
    tracing,
    log,
    signal,
    now,
  });
  const recorder = createRecorder({ queue, webhookCache, health, attempts, count, log, now });
  const findForm = createCachedFinder(store.collection<FormRecord>(FORMS), '_id');
  const renderer = createPayloadRenderer({ templateProcesses: TEMPLATE_PROCESSES });
  const attempt = countInFlight(
    createAttempt({
      client,
      secretsOf: openSecrets(secretBox),
      headersOf: openHeaders(secretBox),
      signingKeyOf: openSigningKey(secretBox),
      renderBody: createRenderBody({ renderer, findForm, origin: config.baseUrl }),
      deliveryTimeoutMs,
      now,
    }),
  );
  const shared = bus.sharedValues ? createSharedAccess(bus.sharedValues, log) : undefined;
  const deliver = createDeliver({
    queue,
    webhookCache,
    findForm,
    attempt,
    recorder,
    rates: createWebhookRates({ shared, now }),
    policy: config,
    now,
    random,
  });
  const workers = createWorkers({ queue, deliver, log });
  const mail = createMail({
    config,
    store,
    bus,
    mailer,
    secretBox,
    retry: retry.intake,
    createJob,
    log,
    signal,
    now,
  });
  const slack =
    config.slack &&
    createSlackMessages({
      config: config.slack,
      baseUrl: config.baseUrl,
      store,
      client,
      secretBox,
      createJob,
      log,
      signal,
      now,
    });
  const erasure = createErasure({ store, bus, mailer, queue, createJob, log, now });
  const trimming = createJob('trimming the event log', HOUR_MS, () => bus.trim(LOG_HISTORY));

  return {
    routes: [],
    metrics: [...metrics, webhooks.filtered.metric],

    async start() {
      if (config.soleProcess) await queue.freeAllLeases();
      workers.start();
      await fanOut.start();
      await mail.start();
      slack?.start();
      for (const part of [queue, webhooks, erasure, trimming]) part.start();
    },

    async stop() {
      stopping.abort();
      const attempts = workers.stop(ATTEMPTS_MAY_TAKE_MS);
      const mailStopped = mail.stop();
      await Promise.all([fanOut.stop(), slack?.stop(), erasure.stop(), trimming.stop()]);
      await queue.drain();
      await Promise.all([attempts, mailStopped]);
      await renderer.stop();
      attemptsEnded.abort();
      await Promise.all([queue.close(), webhooks.stop()]);
    },
  };
}
