import type { DocumentStore } from '@svcforms/document-store';
import type { Clock, CreateJob, Logger } from '@svcforms/primitives';
import { WEBHOOK_HEALTH, WEBHOOKS, type WebhookHealthRecord, type WebhookRecord } from '@svcforms/records';
import type { StoreRetries } from '../store/store-retry.ts';
import { createAttemptCounts, type AttemptCounts } from './attempt-counts.ts';
import { createFailureCheck, type DisablePolicy } from './failure-check.ts';
import { createFilteredCounts, type FilteredCounts } from './filtered-counts.ts';
import { createWebhookCache, type WebhookCache } from './webhook-cache.ts';
import { createWebhookHealth, type WebhookHealth } from './webhook-health.ts';

const HEALTH_EVERY_MS = 1_000;
const MIN_CHECK_EVERY_MS = 100;
const MAX_CHECK_EVERY_MS = 10_000;

export interface Webhooks {
  cache: WebhookCache;
  health: WebhookHealth;
  attempts: Pick<AttemptCounts, 'note'>;
  filtered: Pick<FilteredCounts, 'note' | 'metric'>;
  start(): void;
  /** Writes the remaining notes. Call it when no attempt is running. */
  stop(): Promise<void>;
}

export interface WebhooksDeps {
  store: Pick<DocumentStore, 'collection'>;
  disablePolicy: DisablePolicy;
  retry: Pick<StoreRetries, 'results'>;
  createJob: CreateJob;
  log: Pick<Logger, 'info' | 'warn'>;
  now: Clock;
}

/**
 * The state of webhooks: cached for deliveries, updated after attempts, and checked for long
 * failures.
 */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, disablePolicy, retry, createJob, log, now } = deps;
  const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
  const health = createWebhookHealth(webhooks);
  const cache = createWebhookCache({ webhooks, retry: retry.results, now });
  const webhookHealth = store.collection<WebhookHealthRecord>(WEBHOOK_HEALTH);
  const attempts = createAttemptCounts({ webhookHealth, cache, now });
  const filtered = createFilteredCounts(webhooks, now);
  const checkFailing = createFailureCheck({ webhooks, policy: disablePolicy, log, now });
  const jobs = [
    createJob('writing webhook health', HEALTH_EVERY_MS, () => health.flush()),
    createJob('writing the counts of attempts', HEALTH_EVERY_MS, () => attempts.flush()),
    createJob('writing the counts of filtered events', HEALTH_EVERY_MS, () => filtered.flush()),
    createJob('check for failing webhooks', checkEveryMs(disablePolicy), async () => {
      // A success that isn't written yet counts.
      await health.flush();
      await checkFailing();
    }),
  ];

  return {
    cache,
    health,
    attempts,
    filtered,
    start() {
      for (const job of jobs) job.start();
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      for (const notes of [health, attempts, filtered]) {
        await notes.flush().catch((err: unknown) => {
          log.warn({ event: 'dispatcher.not_flushed', err }, 'webhook health not written');
        });
      }
    },
  };
}

/** Tests use short times until a webhook is disabled, which need frequent checks. */
function checkEveryMs({ disableAfterMs }: DisablePolicy): number {
  return Math.min(MAX_CHECK_EVERY_MS, Math.max(MIN_CHECK_EVERY_MS, disableAfterMs / 100));
}
