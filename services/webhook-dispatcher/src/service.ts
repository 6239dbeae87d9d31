import type { DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { Service } from '@svcforms/http';
import type { GuardedClient } from '@svcforms/outbound';
import { DAY_MS, periodicJobs, type Clock, type Logger, type Tracing } from '@svcforms/primitives';
import type { SecretBox } from '@svcforms/signing';
import type { DispatcherConfig } from './config.ts';
import { createDelivering } from './deliver/delivering.ts';
import { createErasure } from './erase/erasure.ts';
import { createFindErasedEvents } from './store/erased-events.ts';
import { createFanOutBatch } from './fan-out/fan-out-batch.ts';
import { createFanOut } from './fan-out/fan-out.ts';
import { createMail } from './mail/mail.ts';
import type { Mailer } from './mail/mailer.ts';
import { createDispatcherMetrics } from './metrics.ts';
import { createDeliveryQueue } from './queue/delivery-queue.ts';
import type { ConcurrencyLimits } from './queue/permit-rules.ts';
import { createSlackMessages } from './slack/slack-messages.ts';
import { createStoreRetry, createUntilStoreResponds, EVENT_WAIT_MS } from './store/store-retry.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

const LIMITS: ConcurrencyLimits = { perWebhook: 16, perAccount: 128, global: 512 };
/** How much of what all consumers have acknowledged stays in the event log. */
const LOG_HISTORY = { maxAgeMs: 7 * DAY_MS, maxBytes: 1024 ** 3 };
/** Under load, a log on NATS grows by hundreds of MB a minute, and a full one refuses events. */
const TRIM_INTERVAL_MS = 60_000;
const ATTEMPTS_MAY_TAKE_MS = 20_000;

interface DispatcherDeps {
  store: Pick<DocumentStore, 'collection' | 'scrub' | 'ping'>;
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

/**
 * Delivers events to webhooks and sends emails about them; README.md follows one delivery through
 * the folders. `limits`: default 16 attempts at once per webhook, 128 per account and 512
 * altogether.
 */
export function createDispatcher(
  config: DispatcherConfig & { limits?: ConcurrencyLimits; mailScheduleSeconds?: readonly number[] },
  deps: DispatcherDeps,
): Service {
  const { store, bus, client, mailer, secretBox, tracing, log, now = Date.now, random = Math.random } = deps;
  const { deliveryTimeoutMs, disablePolicy, baseUrl, limits = LIMITS, slack: app } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  const attemptsEnded = new AbortController();
  const retry = {
    intake: createStoreRetry({ signal, log, now, giveUpAfterMs: EVENT_WAIT_MS }),
    started: createStoreRetry({ signal, log, now }),
    results: createStoreRetry({ signal: attemptsEnded.signal, log, now }),
  };
  const createJob = periodicJobs({ event: 'dispatcher.waiting', log, now });
  const untilReady = createUntilStoreResponds(store, retry.intake);
  const findErased = createFindErasedEvents({ store, now });
  const common = { store, createJob, retry, untilReady, findErased, log, signal, now };

  const webhooks = createWebhooks({ ...common, disablePolicy });
  const liftedPauses = () => webhooks.cache.liftedPauses();
  const queue = createDeliveryQueue({ limits, deliveryTimeoutMs }, { ...common, liftedPauses });
  const { metrics, ...counting } = createDispatcherMetrics({ store, bus, queue, now });
  const deliveries = { ...common, bus, webhooks, queue, metrics: counting };
  const fanOutBatch = createFanOutBatch({ ...deliveries, origin: baseUrl });
  const fanOut = createFanOut({ bus, fanOutBatch, untilReady, tracing, signal });
  const delivering = createDelivering(config, { ...deliveries, client, secretBox, random });
  const mail = createMail({ ...common, bus, config, mailer, secretBox, metrics: counting });
  const slack = app && createSlackMessages({ ...common, baseUrl, client, secretBox, config: app });
  const erasure = createErasure({ ...common, bus, mailer, queue });
  const trimming = createJob('trimming the event log', TRIM_INTERVAL_MS, () => bus.trim(LOG_HISTORY));

  /**
   * Claims no more deliveries, waits for running attempts (20 s at most), and returns the rest to
   * the store.
   */
  async function stopAll(): Promise<void> {
    stopping.abort();
    const attempts = delivering.stop(ATTEMPTS_MAY_TAKE_MS);
    const mailStopped = mail.stop();
    await Promise.all([fanOut.stop(), slack?.stop(), erasure.stop(), trimming.stop()]);
    await queue.drain();
    await Promise.all([attempts, mailStopped]);
    attemptsEnded.abort();
    await Promise.all([queue.close(), webhooks.stop()]);
  }
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll());

  return {
    // It has no API of its own: forms-api reads what it stores.
    routes: [],
    metrics: [...metrics, webhooks.filtered.metric],

    async start() {
      if (config.soleProcess) await queue.freeAllLeases();
      delivering.start();
      await fanOut.start();
      await mail.start();
      slack?.start();
      for (const part of [queue, webhooks, erasure, trimming]) part.start();
    },

    // Starts shutting down early, so that requests and event streams of the process don't use up
    // the attempts' time.
    drain() {
      // The host awaits `stop`, which rejects with the same error.
      stop().catch(() => {});
    },
    stop,
  };
}
