import { poll } from '@svcforms/test-kit';
import { openTestDatabase, openTestStore } from '../../test/testing.ts';
import { createCachedFinder, createCachedGroupFinder } from '../port/finders.ts';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '../port/port.ts';
import { cacheStore, type ChangeFeed } from './cached-store.ts';

interface Door extends StoredDocument {
  house: string;
  code: string;
  isOpen: boolean;
  knocks: number;
  repairAt?: string;
}

const DOORS: CollectionSpec<Door> = {
  name: 'doors',
  indexes: [{ keys: ['house'] }, { keys: ['code'], unique: true }],
  cached: { by: ['_id', 'house', 'code'], volatile: ['knocks', 'repairAt'] },
  wakesJobs: ['repairAt'],
};

const door = (_id: string, rest: Partial<Door> = {}): Door => ({
  _id,
  house: 'h1',
  code: `code-${_id}`,
  isOpen: true,
  knocks: 0,
  ...rest,
});

type Listener = Parameters<ChangeFeed['listen']>[0];

/** Connects the caches of several processes. */
function createFeed() {
  const listeners: Listener[] = [];
  let isDown = false;
  const sent: string[] = [];
  return {
    sent,
    listeners,
    down: () => void (isDown = true),
    async broadcast(message: string) {
      if (isDown) throw new Error('no connection');
      sent.push(message);
      for (const listener of listeners) listener.onMessage(message);
    },
    listen: (listener: Listener) => listeners.push(listener),
  };
}

/** A store whose queries a test can count and hold. */
function observed(store: DocumentStore) {
  let queries = 0;
  let hold: Promise<void> | undefined;
  const watched: DocumentStore = {
    ...store,
    ensureIndexes: () => store.ensureIndexes(),
    collection<T extends StoredDocument>(spec: CollectionSpec) {
      const real = store.collection<T>(spec);
      return new Proxy(real, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (name !== 'find')
            return typeof member === 'function' ? (member.bind(target) as unknown) : member;
          return async (...args: Parameters<Collection<T>['find']>) => {
            queries += 1;
            const found = await target.find(...args);
            await hold;
            return found;
          };
        },
      });
    },
  };
  return {
    store: watched,
    queries: () => queries,
    /** Queries that have read return only after the returned function is called. */
    holdQueries() {
      let release = () => {};
      hold = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

describe('a store with a cache', () => {
  let feed: ReturnType<typeof createFeed>;
  let clock: number;
  let database: ReturnType<typeof openTestDatabase>;

  beforeEach(() => {
    feed = createFeed();
    clock = 0;
    database = openTestDatabase();
  });

  /** A process with a cache of its own. */
  function aProcess() {
    const { store, ...rest } = observed(openTestStore(database));
    const cached = cacheStore(store, feed, () => clock);
    const doors = cached.collection<Door>(DOORS);
    return {
      ...rest,
      ensureIndexes: () => cached.ensureIndexes(),
      doors,
      byId: createCachedFinder(doors, '_id'),
      byCode: createCachedFinder(doors, 'code'),
      ofHouse: createCachedGroupFinder(doors, 'house'),
    };
  }

  /** Reads and writes without a cache, like another product on the same store. */
  const outside = () => openTestStore(database).collection<Door>({ name: 'doors', indexes: DOORS.indexes });

  it('reads a document once while it is in use, and again within a second', async () => {
    const { doors, byId, queries } = aProcess();
    await doors.insertOne(door('a'));

    for (const at of [0, 300, 600, 899]) {
      clock = at;
      expect(await byId('a')).toMatchObject({ isOpen: true });
    }
    expect(queries()).toBe(1);
    await outside().updateOne({ _id: 'a' }, { $set: { isOpen: false } });
    clock = 1_000;

    expect(await byId('a')).toMatchObject({ isOpen: false });
    expect(queries()).toBe(2);
  });

  it('reads the documents that are in use together', async () => {
    const { doors, byId, queries } = aProcess();
    const ids = Array.from({ length: 20 }, (_, n) => `d${n}`);
    await doors.insertMany(ids.map((id) => door(id)));
    const use = async () => {
      for (const id of ids) await byId(id);
    };
    await use();
    expect(queries()).toBe(20);
    clock = 500;
    await use();
    clock = 1_000;

    await use();

    expect(queries()).toBeLessThanOrEqual(22);
  });

  describe('of a collection that keeps what is absent', () => {
    /** A process with a cache of its own, and the query of its group lookup. */
    function keeping() {
      const { store, ...rest } = observed(openTestStore(database));
      const spec: CollectionSpec<Door> = {
        ...DOORS,
        cached: { by: ['house'], volatile: [], keepsAbsent: true },
      };
      const doors = cacheStore(store, feed, () => clock).collection<Door>(spec);
      return { ...rest, doors, ofHouse: createCachedGroupFinder(doors, 'house') };
    }

    it('asks once a second for a value without documents', async () => {
      const { queries, ofHouse } = keeping();
      for (const at of [0, 300, 600, 899]) {
        clock = at;
        expect(await ofHouse('h1')).toEqual([]);
      }
      expect(queries()).toBe(1);
      await outside().insertOne(door('a'));
      clock = 1_000;
      expect(await ofHouse('h1')).toHaveLength(1);
    });

    it('finds what any process has added at once', async () => {
      const [one, two] = [keeping(), keeping()];
      expect([await one.ofHouse('h1'), await two.ofHouse('h1')]).toEqual([[], []]);
      await one.doors.insertOne(door('a'));
      expect(await one.ofHouse('h1')).toHaveLength(1);
      expect(await two.ofHouse('h1')).toHaveLength(1);
    });

    it('keeps nothing that a query read before an insert', async () => {
      const [one, two] = [keeping(), keeping()];
      const release = two.holdQueries();
      const before = two.ofHouse('h1');
      await poll(() => two.queries() === 1);
      await one.doors.insertOne(door('a'));
      release();
      expect(await before).toEqual([]);
      expect(await two.ofHouse('h1')).toHaveLength(1);
    });
  });

  it("sees its own writes at once, and so do other processes' caches", async () => {
    const [one, two] = [aProcess(), aProcess()];
    await one.doors.insertOne(door('a'));
    const writes: (() => Promise<unknown>)[] = [
      () => one.doors.updateOne({ _id: 'a' }, { $set: { house: 'h2' } }),
      () => one.doors.updateMany({ house: 'h2' }, { $set: { house: 'h3' } }),
      () => one.doors.findOneAndUpdate({ code: 'code-a' }, { $set: { house: 'h4' } }),
      () => one.doors.bulkUpdate([{ filter: { _id: 'a' }, update: { $set: { house: 'h5' } } }]),
    ];
    for (const [n, write] of writes.entries()) {
      for (const { byId } of [one, two]) expect(await byId('a')).toMatchObject({ house: `h${n + 1}` });
      await write();
      for (const { byId, byCode, ofHouse } of [one, two]) {
        expect(await byId('a')).toMatchObject({ house: `h${n + 2}` });
        expect(await byCode('code-a')).toMatchObject({ house: `h${n + 2}` });
        expect(await ofHouse(`h${n + 2}`)).toHaveLength(1);
        expect(await ofHouse(`h${n + 1}`)).toHaveLength(0);
      }
    }
    await one.doors.deleteOne({ _id: 'a' });
    for (const { byId, ofHouse } of [one, two]) {
      expect(await byId('a')).toBeNull();
      expect(await ofHouse('h5')).toEqual([]);
    }
  });

  it('finds a new document at once, alone and in a list that it had before', async () => {
    const [one, two] = [aProcess(), aProcess()];
    await one.doors.insertOne(door('a'));
    expect(await two.byCode('code-b')).toBeNull();
    expect(await two.ofHouse('h1')).toHaveLength(1);

    await one.doors.insertOne(door('b'));

    expect(await two.byCode('code-b')).toMatchObject({ _id: 'b' });
    expect(await two.ofHouse('h1')).toHaveLength(2);
  });

  it('finds a new document at once even if nobody announces it', async () => {
    const { byId } = aProcess();
    expect(await byId('a')).toBeNull();

    await outside().insertOne(door('a'));

    expect(await byId('a')).toMatchObject({ _id: 'a' });
  });

  it.each([
    ['of the same process', () => 0],
    ['of another process', () => 1],
  ])("doesn't keep what a query has read before a change %s", async (_, indexOf) => {
    const [one, two] = [aProcess(), aProcess()];
    const reader = [one, two][indexOf()] ?? one;
    await one.doors.insertOne(door('a'));
    const release = reader.holdQueries();
    const early = reader.byId('a');
    await poll(() => reader.queries() === 1);
    await one.doors.updateOne({ _id: 'a' }, { $set: { isOpen: false } });
    release();
    expect(await early).toMatchObject({ isOpen: true });

    expect(await reader.byId('a')).toMatchObject({ isOpen: false });
  });

  it('starts a query for a call after a change, while an earlier query is running', async () => {
    const { doors, byId, queries, ...reader } = aProcess();
    await doors.insertOne(door('a'));
    const release = reader.holdQueries();
    const early = byId('a');
    await poll(() => queries() === 1);
    await doors.updateOne({ _id: 'a' }, { $set: { isOpen: false } });
    const late = byId('a');
    release();

    expect(await early).toMatchObject({ isOpen: true });
    expect(await late).toMatchObject({ isOpen: false });
    expect(await byId('a')).toMatchObject({ isOpen: false });
  });

  it('drops everything after a gap in the messages, and for a message that it cannot read', async () => {
    const { doors, byId, queries } = aProcess();
    await doors.insertOne(door('a'));
    await byId('a');
    for (const disturb of [
      () => feed.listeners.forEach((listener) => listener.onGap()),
      () => feed.listeners.forEach((listener) => listener.onMessage('changed by a newer version')),
    ]) {
      const before = queries();
      disturb();
      await byId('a');
      expect(queries()).toBe(before + 1);
    }
    const before = queries();
    for (const listener of feed.listeners) listener.onMessage('of another kind');
    await byId('a');
    expect(queries()).toBe(before);
  });

  it("keeps a write that can't be announced waiting until no cache has the old document", async () => {
    const [one, two] = [aProcess(), aProcess()];
    await one.doors.insertOne(door('a'));
    await two.byId('a');
    feed.down();
    const startedAt = performance.now();

    await one.doors.updateOne({ _id: 'a' }, { $set: { isOpen: false } });

    clock += performance.now() - startedAt;
    expect(await one.byId('a')).toMatchObject({ isOpen: false });
    expect(await two.byId('a')).toMatchObject({ isOpen: false });
  });

  it('announces a rejected write too, because it may have been stored', async () => {
    const { doors, ensureIndexes } = aProcess();
    await ensureIndexes();
    await doors.insertMany([door('a'), door('b')]);
    const before = feed.sent.length;

    await expect(doors.updateOne({ _id: 'a' }, { $set: { code: 'code-b' } })).rejects.toMatchObject({
      code: 'DUPLICATE_KEY',
    });

    expect(feed.sent.length).toBe(before + 1);
  });

  it("doesn't announce changes of volatile fields, nor writes that match nothing", async () => {
    const { doors } = aProcess();
    await doors.insertOne(door('a'));
    const before = feed.sent.length;

    await doors.updateOne({ _id: 'a' }, { $inc: { knocks: 1 } });
    await doors.bulkUpdate([{ filter: { _id: 'a' }, update: { $set: { knocks: 5 } } }]);
    await doors.updateOne({ _id: 'other' }, { $set: { isOpen: false } });
    await doors.deleteMany({ house: 'other' });

    expect(feed.sent.length).toBe(before);
    await doors.updateOne({ _id: 'a' }, { $set: { knocks: 6, isOpen: false } });
    expect(feed.sent.length).toBe(before + 1);
  });

  it('gives callers documents that they cannot change', async () => {
    const { doors, byId } = aProcess();
    await doors.insertOne(door('a'));

    const found = await byId('a');

    expect(() => Object.assign(found ?? {}, { isOpen: false })).toThrow(TypeError);
  });

  it('refuses a lookup that the collection does not declare', () => {
    const { doors } = aProcess();
    expect(() => createCachedFinder(doors, 'isOpen')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED' }) as Error,
    );
  });

  describe('work for periodic jobs', () => {
    const AT = '2026-11-21T10:00:00.000Z';

    /** Two processes, and how often each learned of work. */
    function aPair() {
      const pair = [aProcess(), aProcess()] as const;
      const woken = [0, 0];
      for (const [n, { doors }] of pair.entries()) doors.onWork?.(() => void (woken[n]! += 1));
      return { pair, woken, doors: pair[0].doors };
    }

    it.each<[string, (doors: Collection<Door>) => Promise<unknown>]>([
      ['an insert', (doors) => doors.insertOne(door('b', { repairAt: AT }))],
      ['inserts', (doors) => doors.insertMany([door('b'), door('c', { repairAt: AT })])],
      ['an update', (doors) => doors.updateOne({ _id: 'a' }, { $set: { repairAt: AT } })],
      ['updates', (doors) => doors.updateMany({}, { $set: { repairAt: AT } })],
      ['a found document', (doors) => doors.findOneAndUpdate({ _id: 'a' }, { $set: { repairAt: AT } })],
      [
        'an upsert',
        (doors) =>
          doors.updateOne(
            { _id: 'b' },
            { $setOnInsert: { ...door('b', { repairAt: AT }), _id: undefined! } },
            { upsert: true },
          ),
      ],
      [
        'a batch',
        (doors) => doors.bulkUpdate([{ filter: { _id: 'a' }, update: { $set: { repairAt: AT } } }]),
      ],
    ])('is announced to every process after %s', async (_, write) => {
      const { woken, doors } = aPair();
      await doors.insertOne(door('a'));
      expect(woken).toEqual([0, 0]);

      await write(doors);

      expect(woken.every((count) => count > 0)).toBe(true);
    });

    it('is not announced by other writes, nor by those that match nothing', async () => {
      const { woken, doors } = aPair();
      await doors.insertOne(door('a'));
      await doors.updateOne({ _id: 'a' }, { $set: { isOpen: false }, $unset: { repairAt: true } });
      await doors.updateOne({ _id: 'other' }, { $set: { repairAt: AT } });
      await doors.findOneAndUpdate({ _id: 'other' }, { $set: { repairAt: AT } });
      await doors.bulkUpdate([{ filter: { _id: 'other' }, update: { $set: { repairAt: AT } } }]);
      await doors.deleteOne({ _id: 'a' });
      expect(woken).toEqual([0, 0]);
    });

    it('is assumed by every process after a gap in the messages', () => {
      const { woken } = aPair();
      for (const listener of feed.listeners) listener.onGap();
      expect(woken).toEqual([1, 1]);
    });

    it('is announced in its own process, and delays no write, while there is no connection', async () => {
      const { woken, doors } = aPair();
      await doors.insertOne(door('a'));
      feed.down();
      const startedAt = performance.now();
      await doors.updateOne({ _id: 'a' }, { $set: { repairAt: AT } });
      expect(woken).toEqual([1, 0]);
      expect(performance.now() - startedAt).toBeLessThan(800);
    });
  });
});
