import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createSharedAccess } from '@svcforms/http';
import type { GuardedClient } from '@svcforms/outbound';
import { createPayloadRenderer } from '@svcforms/payload-formats';
import type { Clock, Logger } from '@svcforms/primitives';
import { FORMS, type FormRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import { createRecorder, type RecordedOutcome } from '../record/recorder.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { createAttempt, type Attempt } from './attempt.ts';
import type { RetryPolicy } from './decide-outcome.ts';
import { createDeliver } from './deliver.ts';
import { createRenderBody } from './render-body.ts';
import { openHeaders, openSecrets, openSigningKey } from './secret-cache.ts';
import { createWebhookRates } from './webhook-rates.ts';
import { createWorkers, type Workers } from './workers.ts';

/** Two, so that the slow templates of one account leave one to the others. */
const TEMPLATE_PROCESSES = 2;

interface DeliveringConfig extends RetryPolicy {
  deliveryTimeoutMs: number;
  /** The origin of links in bodies. */
  baseUrl: string;
}

interface DeliveringDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: Pick<EventBus, 'sharedValues'>;
  client: Pick<GuardedClient, 'post'>;
  secretBox: Pick<SecretBox, 'open'>;
  webhooks: Pick<Webhooks, 'cache' | 'health' | 'attempts'>;
  queue: DeliveryQueue;
  metrics: {
    count: (outcome: RecordedOutcome) => void;
    countInFlight: (attempt: Attempt) => Attempt;
  };
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  now: Clock;
  random: () => number;
}

/** Attempts the deliveries that the queue hands out, and has their outcomes recorded. */
export function createDelivering(config: DeliveringConfig, deps: DeliveringDeps): Workers {
  const { store, bus, client, secretBox, webhooks, queue, metrics, log, now, random } = deps;
  const { baseUrl: origin, deliveryTimeoutMs } = config;
  const { cache: webhookCache, health, attempts } = webhooks;
  const findForm = createCachedFinder(store.collection<FormRecord>(FORMS), '_id');
  const renderer = createPayloadRenderer({ templateProcesses: TEMPLATE_PROCESSES });
  const attempt = metrics.countInFlight(
    createAttempt({
      client,
      secretsOf: openSecrets(secretBox),
      headersOf: openHeaders(secretBox),
      signingKeyOf: openSigningKey(secretBox),
      deliveryTimeoutMs,
      now,
    }),
  );
  const shared = bus.sharedValues ? createSharedAccess(bus.sharedValues, log) : undefined;
  const deliver = createDeliver({
    queue,
    webhookCache,
    findForm,
    renderBody: createRenderBody({ renderer, findForm, origin }),
    attempt,
    recorder: createRecorder({ queue, webhookCache, health, attempts, count: metrics.count, log, now }),
    rates: createWebhookRates({ shared }),
    policy: config,
    now,
    random,
  });
  const workers = createWorkers({ queue, deliver, log });

  return {
    start: () => workers.start(),
    async stop(maxMs) {
      await workers.stop(maxMs);
      await renderer.stop();
    },
  };
}
