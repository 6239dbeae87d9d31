import type { DocumentStore } from '@svcforms/document-store';
import { DELIVERIES, SUBMISSIONS, type DeliveryRecord, type SubmissionRecord } from '@svcforms/records';
import { poll, type WebhookEndpoint, type ReceivedRequest } from '@svcforms/test-kit';
import type { Load } from './send-while.ts';

/** The final state after every fault is repaired and all work has finished. */
export interface Evidence extends Load {
  received: readonly ReceivedRequest[];
  submissions: readonly SubmissionRecord[];
  deliveries: readonly DeliveryRecord[];
  /** How often the delivering process was killed. */
  kills: number;
}

/** The two events of an inbound submission. */
export const EVENT_TYPES = ['form.submission.new', 'submission.created'] as const;

const IDLE_WITHIN_MS = 60_000;

/** Waits until no work is in progress, at most a minute, and collects the state. */
export async function collectEvidence(
  load: Load,
  {
    store,
    webhookEndpoint,
    kills,
  }: { store: DocumentStore; webhookEndpoint: WebhookEndpoint; kills: number },
): Promise<Evidence> {
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const isIdle = async () =>
    (await submissions.count({ pendingKey: { $exists: true } })) === 0 &&
    (await deliveries.count({ status: 'delivered' })) === EVENT_TYPES.length * (await submissions.count({}));
  await poll(isIdle, { timeoutMs: IDLE_WITHIN_MS, everyMs: 250 }).catch(() => {
    // The tests report whatever is missing or unfinished.
  });
  return {
    ...load,
    kills,
    received: [...webhookEndpoint.requests],
    submissions: await submissions.find({}),
    deliveries: await deliveries.find({}),
  };
}
