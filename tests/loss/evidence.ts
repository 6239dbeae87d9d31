import type { DocumentStore } from '@svcforms/document-store';
import { DELIVERIES, SUBMISSIONS, type DeliveryRecord, type SubmissionRecord } from '@svcforms/records';
import { poll, type WebhookEndpoint, type ReceivedRequest } from '@svcforms/test-kit';
import type { Load } from './send-while.ts';

/** What is found when everything has been mended and has come to rest. */
export interface Evidence extends Load {
  received: readonly ReceivedRequest[];
  submissions: readonly SubmissionRecord[];
  deliveries: readonly DeliveryRecord[];
  /** How often the process that delivers was killed. */
  kills: number;
}

/** An inbound submission causes two. */
export const EVENT_TYPES = ['form.submission.new', 'submission.created'] as const;

const REST_WITHIN_MS = 60_000;

/** Waits until nothing is under way any more; after a minute it takes what is there. */
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
  const atRest = async () =>
    (await submissions.count({ pendingKey: { $exists: true } })) === 0 &&
    (await deliveries.count({ status: 'delivered' })) === EVENT_TYPES.length * (await submissions.count({}));
  await poll(atRest, { timeoutMs: REST_WITHIN_MS, everyMs: 250 }).catch(() => {
    // What is missing or unfinished by now is for the tests to tell.
  });
  return {
    ...load,
    kills,
    received: [...webhookEndpoint.requests],
    submissions: await submissions.find({}),
    deliveries: await deliveries.find({}),
  };
}
