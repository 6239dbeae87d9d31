import type { SharedAccess } from '@svcforms/http';
import { every, type Clock } from '@svcforms/primitives';
import { randomUUID } from 'node:crypto';

/**
 * How often a process with streams confirms that it lives, and how long each confirmation is valid.
 */
const BEAT_MS = 2_000;
const ALIVE_MS = 6_000;
/** A number of streams is stored again long before it expires. */
const STORE_AGAIN_MS = 60_000;
const TTL_MS = 10 * 60_000;

/** The numbers of open streams by id: of an API key, a user or an account. */
export interface StreamCounts {
  /** Counts one more stream unless the id has `max` already. Returns whether it was counted. */
  add(id: string, max: number): Promise<boolean>;
  remove(id: string): void;
  start(): void;
  /** Waits for the changes in progress. */
  stop(): Promise<void>;
}

/** The number of streams of each process. */
type Shares = Record<string, number>;

/**
 * Counts the streams of this process, and with `shared` those of all processes. While the shared
 * values are unavailable, the streams of this process count alone; they are added when the values
 * are back. ADR 0050
 */
export function createStreamCounts({
  shared,
  now,
}: {
  shared: SharedAccess | undefined;
  now: Clock;
}): StreamCounts {
  const counts = new Map<string, number>();
  const all = shared && shareCounts(shared, counts, now);
  /** The last change of each id; changes of one id run in order. */
  const changes = new Map<string, Promise<unknown>>();

  function inOrder<T>(id: string, work: () => Promise<T>): Promise<T> {
    const change = (changes.get(id) ?? Promise.resolve()).then(work);
    const settled = change.then(
      () => {},
      () => {},
    );
    changes.set(id, settled);
    void settled.then(() => changes.get(id) === settled && changes.delete(id));
    return change;
  }

  function set(id: string, count: number): void {
    if (count > 0) counts.set(id, count);
    else counts.delete(id);
  }

  const job = every({
    intervalMs: BEAT_MS,
    work: async () => {
      const due = (await all?.confirm()) ?? [];
      for (const id of due) void inOrder(id, async () => all?.store(id, counts.get(id) ?? 0));
    },
    onError: () => {},
    now,
  });

  return {
    add: (id, max) =>
      inOrder(id, async () => {
        const count = (counts.get(id) ?? 0) + 1;
        if (count > max || (all && !(await all.store(id, count, max)))) return false;
        set(id, count);
        return true;
      }),
    remove: (id) =>
      void inOrder(id, async () => {
        const count = (counts.get(id) ?? 0) - 1;
        set(id, count);
        await all?.store(id, count);
      }),
    start: () => job.start(BEAT_MS),
    async stop() {
      await job.stop();
      await Promise.all(changes.values());
    },
  };
}

/** The numbers of this process, `counts`, among those of all processes. */
function shareCounts(access: SharedAccess, counts: ReadonlyMap<string, number>, now: Clock) {
  const { values } = access;
  const me = randomUUID().slice(0, 8);
  /** The ids whose shared number may differ from that of this process. */
  const changed = new Set<string>();
  let beat: { revision: string | null; at: number } = { revision: null, at: -Infinity };
  let beating: Promise<void> | undefined;
  let storedAllAt = now();

  async function confirmAlive(): Promise<void> {
    const key = aliveKey(me);
    const at = performance.now();
    let revision = await values.replace(key, '', { revision: beat.revision, ttlMs: ALIVE_MS });
    if (revision === null) {
      // The confirmation has expired or was lost, so others may have dropped the numbers.
      for (const id of counts.keys()) changed.add(id);
      const found = await values.read(key);
      revision = await values.replace(key, '', { revision: found?.revision ?? null, ttlMs: ALIVE_MS });
    }
    beat = { revision, at };
  }

  async function beatWithin(ms: number): Promise<void> {
    if (performance.now() - beat.at < ms) return;
    beating ??= confirmAlive().finally(() => (beating = undefined));
    await beating;
  }

  async function onlyAlive(shares: Shares): Promise<Shares> {
    const checked = await Promise.all(
      Object.entries(shares).map(async (share) => ((await values.read(aliveKey(share[0]))) ? [share] : [])),
    );
    return Object.fromEntries(checked.flat());
  }

  /** Returns false if that would be more than `max` in all processes. */
  async function replaceShare(
    id: string,
    { count, max }: { count: number; max: number },
    isOver: () => boolean,
  ): Promise<boolean> {
    await beatWithin(2 * BEAT_MS);
    while (!isOver()) {
      const found = await values.read(`streams-${id}`);
      let { [me]: _own, ...others } = found ? readShares(found.text) : {};
      if (total(others) + count > max) others = await onlyAlive(others);
      if (total(others) + count > max) return false;
      const shares = count > 0 ? { ...others, [me]: count } : others;
      if (isOver()) break;
      const options = { revision: found?.revision ?? null, ttlMs: TTL_MS };
      if ((await values.replace(`streams-${id}`, JSON.stringify(shares), options)) !== null) break;
    }
    return true;
  }

  return {
    /**
     * Stores how many streams of the id this process has. Returns false, and stores nothing, if
     * there are more than `max` in all processes. If the shared values are unavailable, `confirm`
     * returns the id later.
     */
    async store(id: string, count: number, max = Infinity): Promise<boolean> {
      if (!access.isAway()) {
        try {
          return await access.run((isOver) => replaceShare(id, { count, max }, isOver));
        } catch {
          // Counted by this process alone, as below.
        }
      }
      changed.add(id);
      return true;
    },
    /** Confirms that this process lives, if it has streams. Returns the ids to store again. */
    async confirm(): Promise<string[]> {
      if ((counts.size === 0 && changed.size === 0) || access.isAway()) return [];
      if (now() - storedAllAt >= STORE_AGAIN_MS) {
        storedAllAt = now();
        for (const id of counts.keys()) changed.add(id);
      }
      try {
        await access.run(() => beatWithin(BEAT_MS / 2));
      } catch {
        return [];
      }
      const due = [...changed];
      changed.clear();
      return due;
    },
  };
}

const aliveKey = (id: string) => `alive-${id}`;

function total(shares: Shares): number {
  return Object.values(shares).reduce((sum, count) => sum + count, 0);
}

function readShares(text: string): Shares {
  try {
    return JSON.parse(text) as Shares;
  } catch {
    return {};
  }
}
