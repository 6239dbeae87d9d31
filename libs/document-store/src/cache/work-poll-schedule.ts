import { createPollSchedule, type Clock, type PollSchedule } from '@svcforms/primitives';
import type { Collection, StoredDocument } from '../port/port.ts';

/**
 * A poll schedule that work in this collection wakes. Without announcements, each run of the job
 * polls.
 */
export function createWorkPollSchedule<T extends StoredDocument>(
  collection: Pick<Collection<T>, 'onWork'>,
  options: { now: Clock; pollEveryMs?: number },
): PollSchedule {
  if (!collection.onWork) return { wake() {}, pollIfDue: async (search) => void (await search()) };
  const pollSchedule = createPollSchedule(options);
  collection.onWork(() => pollSchedule.wake());
  return pollSchedule;
}
