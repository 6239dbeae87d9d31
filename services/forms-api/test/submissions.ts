import { newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import {
  newSubmission,
  SUBMISSIONS,
  type SubmissionMetadata,
  type SubmissionRecord,
} from '@svcforms/records';

export interface StoredSubmission {
  data: Record<string, unknown>;
  via?: 'web' | 'inbound';
  metadata?: Omit<SubmissionMetadata, 'submittedVia'>;
  /** Milliseconds since the epoch. */
  at?: number;
}

/** Stores submissions and returns their ids. */
export async function storeSubmissions(
  store: DocumentStore,
  form: { id: string; accountId: string },
  submissions: readonly StoredSubmission[],
): Promise<string[]> {
  const records = submissions.map(({ data, via = 'web', metadata = {}, at = 0 }) =>
    newSubmission({
      accountId: form.accountId,
      formId: form.id,
      data: JSON.stringify(data),
      metadata: { submittedVia: via, ...metadata },
      requestId: newId('evt'),
      now: at,
    }),
  );
  await store.collection<SubmissionRecord>(SUBMISSIONS).insertMany(records);
  return records.map(({ _id }) => _id);
}
