import { pause, waitAtMost } from '@svcforms/primitives';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '../port/port.ts';
import { announceWork } from './announced-work.ts';
import { cacheCollection, type CachedCollection } from './cached-collection.ts';
import type { Change } from './change.ts';
import { MAX_AGE_MS } from './lookup.ts';

/** Tells the caches of all processes about changes. The event bus is one. */
export interface ChangeFeed {
  /** Resolves when the backend has forwarded the message to every connected process. */
  broadcast(message: string): Promise<void>;
  /** Calls the listener for each message, and `onGap` when messages may have been lost. */
  listen(listener: { onMessage(message: string): void; onGap(): void }): unknown;
}

/** Marks the messages of caches among the broadcasts. */
const PREFIX = 'changed ';
/** Marks the announcements of work among the broadcasts. The name of the collection follows. */
const WORK_PREFIX = 'work ';

const EVERYTHING = { ids: null, adds: true };

/**
 * Adds a cache to a store: collections that are declared as `cached` have a `lookUp`, which
 * `createCachedFinder` uses. All processes that write to these collections must use such a store
 * and the same feed. docs/adr/0043
 *
 * A document is reused for less than a second, even if messages are lost. A write resolves when
 * every cache has the message, or when no cache can still have the old document; the caches of this
 * process drop it before that.
 *
 * Writes to the fields in `wakesJobs` are announced on the same feed, without waiting for it.
 * docs/adr/0093
 *
 * @param now milliseconds of a monotonic clock
 */
export function cacheStore(
  store: DocumentStore,
  feed: ChangeFeed,
  now: () => number = () => performance.now(),
): DocumentStore {
  const collections = new Map<string, CachedCollection<StoredDocument>>();
  /** By collection: who waits for work. */
  const workers = new Map<string, readonly (() => void)[]>();

  feed.listen({
    onMessage(message) {
      if (message.startsWith(PREFIX)) drop(readChange(message.slice(PREFIX.length)));
      if (message.startsWith(WORK_PREFIX)) wake(message.slice(WORK_PREFIX.length));
    },
    onGap: () => drop(null),
  });

  /** `null`: anything may have changed, so there may be work too. */
  function drop(change: Change | null): void {
    if (change) return collections.get(change.collection)?.drop(change);
    for (const collection of collections.values()) collection.drop(EVERYTHING);
    for (const name of workers.keys()) wake(name);
  }

  async function announce(change: Change): Promise<void> {
    drop(change);
    await sentOrExpired(feed.broadcast(`${PREFIX}${JSON.stringify(change)}`));
  }

  function wake(name: string): void {
    for (const listener of workers.get(name) ?? []) listener();
  }

  function withAnnouncedWork<T extends StoredDocument>(
    collection: Collection<T>,
    { name, wakesJobs }: CollectionSpec,
  ): Collection<T> {
    if (!wakesJobs) return collection;
    return announceWork(collection, wakesJobs, {
      announce() {
        wake(name);
        // The other processes find it without the message too, later.
        feed.broadcast(`${WORK_PREFIX}${name}`).catch(() => {});
      },
      onWork(listener) {
        workers.set(name, [...(workers.get(name) ?? []), listener]);
      },
    });
  }

  return {
    ensureIndexes: () => store.ensureIndexes(),
    scrub: () => store.scrub(),
    ping: (options) => store.ping(options),
    close: () => store.close(),
    collection<T extends StoredDocument>(spec: CollectionSpec): Collection<T> {
      const collection = withAnnouncedWork(store.collection<T>(spec), spec);
      if (!spec.cached) return collection;
      const known = collections.get(spec.name);
      if (known) return known as unknown as Collection<T>;
      const cached = cacheCollection(collection, spec, { announce, now });
      collections.set(spec.name, cached as unknown as CachedCollection<StoredDocument>);
      return cached;
    },
  };
}

/**
 * Makes the caches of all processes drop everything, for programs that write without a cache.
 * Resolves when none of them can have a document from before the call.
 *
 * @param feed absent if this program can't reach the processes
 */
export async function dropCaches(feed?: Pick<ChangeFeed, 'broadcast'>): Promise<void> {
  await sentOrExpired(feed ? feed.broadcast(`${PREFIX}everything`) : Promise.reject(new Error('no feed')));
}

/**
 * Waits for the message, or, if it isn't sent, until every document that was cached before has
 * expired.
 */
async function sentOrExpired(sending: Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const isSent = await waitAtMost(sending, MAX_AGE_MS).catch(() => false);
  const left = () => MAX_AGE_MS - (performance.now() - startedAt);
  // Timers end up to a millisecond early, and no cache may have an old document after this.
  while (!isSent && left() > 0) await pause(Math.ceil(left()));
}

/** `null` for a message that concerns everything, or that this version can't read. */
function readChange(text: string): Change | null {
  try {
    const { collection, ids, adds } = JSON.parse(text) as Partial<Change>;
    if (typeof collection !== 'string' || typeof adds !== 'boolean') return null;
    return Array.isArray(ids) || ids === null ? { collection, ids, adds } : null;
  } catch {
    return null;
  }
}
