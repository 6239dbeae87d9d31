import type { ErasureCollections } from './erasure-collections.ts';
import type { ErasureRecord } from './erasure-record.ts';
import { findById } from './find-by-id.ts';
import { submissionTombstone } from './tombstone.ts';

/** Replaces the submissions with tombstones. */
export async function eraseSubmissions(
  { submissions }: Pick<ErasureCollections, 'submissions'>,
  { at, submissionIds }: Pick<ErasureRecord, 'at' | 'submissionIds'>,
): Promise<void> {
  if (submissionIds.length === 0) return;
  const found = await findById(submissions, submissionIds);
  // Inserts missing tombstones too: a task that was just decided may be about to insert its
  // submission.
  await submissions.bulkUpdate(
    submissionIds.map((_id) => ({
      filter: { _id },
      update: submissionTombstone(found.get(_id), { at }),
      upsert: true,
    })),
  );
}
