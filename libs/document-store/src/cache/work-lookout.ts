import { createLookout, type Clock, type Lookout } from '@svcforms/primitives';
import type { Collection, StoredDocument } from '../port/port.ts';

/**
 * A lookout that work in this collection wakes. Without announcements, each run of the job searches.
 */
export function createWorkLookout<T extends StoredDocument>(
  collection: Pick<Collection<T>, 'onWork'>,
  options: { now: Clock; searchEveryMs?: number },
): Lookout {
  if (!collection.onWork) return { wake() {}, look: async (search) => void (await search()) };
  const lookout = createLookout(options);
  collection.onWork(() => lookout.wake());
  return lookout;
}
