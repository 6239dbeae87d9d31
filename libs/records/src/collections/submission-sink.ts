import type { Collection, DocumentStore } from '@svcforms/document-store';
import { createOutbox, type Outbox, type OutboxDeps } from '@svcforms/outbox';
import { insertOnce } from './insert-once.ts';
import { submissionEvent } from './submission-events.ts';
import { SUBMISSIONS, type SubmissionRecord } from './submission.ts';

/** Stores submissions and publishes their events. */
export interface SubmissionSink {
  submissions: Collection<SubmissionRecord>;
  outbox: Outbox<SubmissionRecord>;
}

/** The sink of a service that accepts submissions. The service starts and stops its outbox. */
export function createSubmissionOutbox(
  deps: { store: DocumentStore } & Pick<
    OutboxDeps<SubmissionRecord>,
    'bus' | 'log' | 'now' | 'insertWithEvents' | 'tracing'
  >,
): SubmissionSink {
  const { store, ...rest } = deps;
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  return { submissions, outbox: createOutbox({ ...rest, collection: submissions, render: submissionEvent }) };
}

/**
 * Stores a submission. When this resolves, the submission is durable and its events will be
 * published.
 */
export async function storeSubmission(
  {
    submissions,
    outbox,
  }: {
    submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
    outbox: Pick<Outbox<SubmissionRecord>, 'insert'>;
  },
  record: SubmissionRecord,
): Promise<void> {
  // A submission that was stored before has its events too.
  await insertOnce(
    { insertOne: (doc) => outbox.insert(doc), findOne: (filter) => submissions.findOne(filter) },
    record,
  );
}
