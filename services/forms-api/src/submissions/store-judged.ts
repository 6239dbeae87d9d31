import type { QuarantineReason } from '@svcforms/contracts';
import { isDuplicateKey } from '@svcforms/document-store';
import { newSubmission, storeSubmission, type SubmissionSink } from '@svcforms/records';
import type { Verdict } from '../spam/spam-filter.ts';

type Submitted = Omit<Parameters<typeof newSubmission>[0], 'quarantineReason' | 'tokenId'>;

/**
 * Stores a submission where the verdict puts it. The insert itself uses up the token, so that of two
 * submissions with the same one, wherever they arrive, the second goes to quarantine.
 * @returns the reason if the submission is in quarantine
 */
export async function storeJudged(
  sink: SubmissionSink,
  { quarantineReason, tokenId }: Verdict,
  submitted: Submitted,
): Promise<{ quarantineReason?: QuarantineReason | undefined }> {
  try {
    await storeSubmission(sink, newSubmission({ ...submitted, quarantineReason, tokenId }));
    return { quarantineReason };
  } catch (error) {
    if (tokenId === undefined || !isDuplicateKey(error)) throw error;
  }
  return storeJudged(sink, { quarantineReason: 'reused_token' }, submitted);
}
