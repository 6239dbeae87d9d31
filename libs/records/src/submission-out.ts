import type { SubmissionOut } from '@svcforms/contracts';
import type { SubmissionRecord } from './submission.ts';

/** A submission as clients get it. */
export function submissionOut({ _id, formId, data, metadata, createdAt }: SubmissionRecord): SubmissionOut {
  return { id: _id, formId, data: JSON.parse(data) as Record<string, unknown>, metadata, createdAt };
}
