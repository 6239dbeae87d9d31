import type { QuarantineReason } from '@svcforms/contracts';
import { isDuplicateKey } from '@svcforms/document-store';
import {
  newSubmission,
  storeSubmission,
  type FormRecord,
  type Seats,
  type SubmissionSink,
} from '@svcforms/records';
import type { Verdict } from '../spam/spam-filter.ts';

type Submitted = Omit<Parameters<typeof newSubmission>[0], 'quarantineReason' | 'tokenId'>;

interface StoreDeps extends SubmissionSink {
  seats: Pick<Seats, 'take'>;
}

/**
 * Stores a submission where the verdict puts it. Only an accepted one takes a seat in the form. The
 * insert itself uses up the token, so that of two submissions with the same one, wherever they
 * arrive, the second goes to quarantine.
 * @returns the reason if the submission is in quarantine
 * @throws AppError `FORM_CLOSED` if it would be accepted but the form is full
 */
export async function storeJudged(
  deps: StoreDeps,
  form: FormRecord,
  { quarantineReason, tokenId }: Verdict,
  submitted: Submitted,
): Promise<{ quarantineReason?: QuarantineReason | undefined }> {
  const record = newSubmission({ ...submitted, quarantineReason, tokenId });
  if (quarantineReason !== undefined) {
    await storeSubmission(deps, record);
    return { quarantineReason };
  }
  const isStored = await deps.seats.take(form, async (seat) => {
    try {
      await storeSubmission(deps, { ...record, ...seat });
      return true;
    } catch (error) {
      // The duplicate key may also be the seat. Then `take` tries another seat.
      const isReused =
        tokenId !== undefined &&
        isDuplicateKey(error) &&
        (await deps.submissions.findOne({ tokenId })) !== null;
      if (isReused) return false;
      throw error;
    }
  });
  return isStored ? {} : storeJudged(deps, form, { quarantineReason: 'reused_token' }, submitted);
}
