import type { Filter, Update } from '@svcforms/document-store';
import { chunksOf } from '@svcforms/primitives';
import type { OutboxDeps } from './outbox-deps.ts';
import type { WithPendingEvents } from './pending.ts';

/** Rarely, because nothing waits for it, and each time is a command. */
const CLEAR_EVERY_MS = 250;
const CLEAR_SIZE = 200;

/**
 * The documents whose events this process is publishing, or has published but not cleared. The
 * relay skips them.
 */
export interface InProgress<T> {
  has: (id: string) => boolean;
  /**
   * Adds a document until its events are cleared, or until publishing them fails. `publishing`
   * never rejects.
   */
  add: (doc: T, publishing: Promise<boolean>) => void;
  /** The publishing of each document, which resolves to whether it succeeded. */
  publishes: () => Iterable<Promise<boolean>>;
  /** Clears the events of a published document soon, in one update with those of others. */
  clearSoon: (doc: T) => void;
  /** Removes the published events from their documents. Returns whether that succeeded. */
  clear: () => Promise<boolean>;
}

export function createInProgress<T extends WithPendingEvents>({
  collection,
  log,
}: Pick<OutboxDeps<T>, 'collection' | 'log'>): InProgress<T> {
  const inProgress = new Map<string, Promise<boolean>>();
  let published: T[] = [];
  let clearing: Promise<boolean> = Promise.resolve(true);
  let clearTimer: NodeJS.Timeout | undefined;

  function clear(): Promise<boolean> {
    clearTimeout(clearTimer);
    clearTimer = undefined;
    clearing = clearing.then(clearPublished);
    return clearing;
  }

  async function clearPublished(): Promise<boolean> {
    const docs = published;
    published = [];
    try {
      for (const some of chunksOf(docs, CLEAR_SIZE)) {
        // One update for all documents: a key contains the id of its document, so it matches only
        // there.
        const pendingKeys = some.flatMap(({ pendingKey }) => pendingKey ?? []);
        await collection.updateMany(
          {
            _id: { $in: some.map(({ _id }) => _id) },
            pendingKey: { $in: pendingKeys },
          } satisfies Filter<WithPendingEvents>,
          { $unset: { pendingEvents: true, pendingKey: true } } satisfies Update<WithPendingEvents>,
        );
      }
      return true;
    } catch (error) {
      log.warn(
        { event: 'outbox.not_cleared', err: error, documents: docs.length },
        'published events stay pending; they are published again with the same ids',
      );
      return false;
    } finally {
      for (const doc of docs) inProgress.delete(doc._id);
    }
  }

  return {
    has: (id) => inProgress.has(id),
    add(doc, publishing) {
      inProgress.set(doc._id, publishing);
      void publishing.then((ok) => !ok && inProgress.delete(doc._id));
    },
    publishes: () => inProgress.values(),
    clearSoon(doc) {
      published.push(doc);
      if (published.length >= CLEAR_SIZE) void clear();
      else clearTimer ??= setTimeout(() => void clear(), CLEAR_EVERY_MS);
    },
    clear,
  };
}
