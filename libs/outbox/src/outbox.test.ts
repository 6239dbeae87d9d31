import { isId, newId, type BusEvent, type EventType } from '@svcforms/contracts';
import type { Collection, CollectionSpec } from '@svcforms/document-store';
import { insertInSameCommit } from '@svcforms/document-store/embedded';
import { EventBusError, type EventBus } from '@svcforms/event-bus';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { atEnd, createGate, poll, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createOutbox } from './outbox.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { PENDING_INDEX, pendingEvents, type PendingEvent, type WithPendingEvents } from './pending.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

interface Note extends WithPendingEvents {
  formId: string;
  text: string;
}
const NOTES: CollectionSpec<Note> = { name: 'notes', indexes: [PENDING_INDEX] };
const [ANA, BEN] = ['acc_A', 'acc_B'];
const MINUTE_MS = 60_000;

const render = (note: Note, pending: PendingEvent): BusEvent => ({
  ...pending,
  accountId: note.accountId,
  formId: note.formId,
  body: JSON.stringify({ text: note.text, type: pending.type }),
});

/** Opens a new store and bus, with a switch for outages of the bus and a record of its calls. */
async function openFixture() {
  const { store, bus } = openEmbeddedPair();
  const notes: Collection<Note> = store.collection(NOTES);
  await store.ensureIndexes();

  const logged: string[] = [];
  const log = (fields: object) => void logged.push(String((fields as { event: unknown }).event));
  const calls = { publish: [] as string[], publishedSince: [] as string[] };
  const state = { isDown: false, now: Date.now() };
  const watched: OutboxDeps<Note>['bus'] = {
    async publishTogether(events) {
      calls.publish.push(...events.map(({ id }) => id));
      if (state.isDown) throw new EventBusError('UNAVAILABLE', 'down');
      return bus.publishTogether(events);
    },
    async publishedSince(...args) {
      calls.publishedSince.push(args.join(' '));
      if (state.isDown) throw new EventBusError('UNAVAILABLE', 'down');
      return bus.publishedSince(...args);
    },
  };

  function openOutbox(overrides: Partial<OutboxDeps<Note>> = {}) {
    const outbox = createOutbox<Note>({
      collection: notes,
      bus: watched,
      render,
      log: { info: log, warn: log },
      now: () => state.now,
      sweepEveryMs: 10,
      ...overrides,
    });
    atEnd(() => outbox.stop());
    return outbox;
  }

  let count = 0;
  /** A note with pending events that is `ageMs` old. Its text is the next number. */
  function newNote(accountId = ANA, ageMs = 0): Note {
    const timestamp = new Date(state.now - ageMs).toISOString();
    const of = newId('sub');
    return {
      _id: of,
      accountId,
      formId: 'frm_1',
      text: String(++count),
      ...pendingEvents(['form.submission.new', 'submission.created'], { of, timestamp, requestId: 'req-1' }),
    };
  }

  return {
    notes,
    bus,
    watched,
    state,
    calls,
    logged,
    openOutbox,
    newNote,
    /** The insert of a process whose store and bus share a database. */
    insertWithEvents: (async (collection, doc, events) => {
      const joining = bus.join(events);
      await insertInSameCommit(collection, doc, () => joining.write());
      joining.committed();
    }) satisfies OutboxDeps<Note>['insertWithEvents'],
    store: async (accountId?: string, ageMs?: number): Promise<Note> => {
      const note = newNote(accountId, ageMs);
      await notes.insertOne(note);
      return note;
    },
    storeMany: async (count: number, accountOf: (nth: number) => string, ageMs?: number): Promise<Note[]> => {
      const many = Array.from({ length: count }, (_, nth) => newNote(accountOf(nth), ageMs));
      await notes.insertMany(many);
      return many;
    },
    /** The number of documents with pending events. */
    countPending: () => notes.count({ pendingKey: { $exists: true } }),
  };
}

const alternating = (nth: number) => (nth % 2 ? ANA : BEN);

/** All events of the log, in order. */
async function logOf(bus: EventBus): Promise<BusEvent[]> {
  const ids = new Set([...(await bus.publishedSince(ANA, EPOCH)), ...(await bus.publishedSince(BEN, EPOCH))]);
  if (ids.size === 0) return [];
  const events: BusEvent[] = [];
  const consumption = await bus.consume(newId('evt'), { batch: 1000, ackWaitMs: 30_000 }, async (batch) => {
    events.push(...batch.map(({ event }) => event));
  });
  await poll(() => events.length >= ids.size);
  await consumption.stop();
  return events;
}
const EPOCH = new Date(0).toISOString();
const textsOf = (events: BusEvent[], accountId: string) =>
  events
    .filter((event) => event.accountId === accountId && event.type === 'form.submission.new')
    .map(({ body }) => Number((JSON.parse(body ?? '') as { text: string }).text));

describe('the events of a document', () => {
  it('are published immediately, in order, with a body from the document, and removed from it', async () => {
    const { bus, openOutbox, store, countPending, notes } = await openFixture();
    const outbox = openOutbox();
    const note = await store();
    outbox.publish(note);
    await poll(async () => (await countPending()) === 0);
    const events = await logOf(bus);
    expect(events).toEqual(
      note.pendingEvents?.map(({ id, type, timestamp }) => ({
        id,
        type,
        timestamp,
        requestId: 'req-1',
        accountId: ANA,
        formId: 'frm_1',
        body: JSON.stringify({ text: '1', type }),
      })),
    );
    expect(await notes.findOne({ _id: note._id })).toEqual({
      _id: note._id,
      accountId: ANA,
      formId: 'frm_1',
      text: '1',
    });
  });

  it('are published in the order in which the documents were stored', async () => {
    const { bus, openOutbox, store, countPending } = await openFixture();
    const outbox = openOutbox();
    for (let i = 0; i < 50; i++) outbox.publish(await store());
    await poll(async () => (await countPending()) === 0);
    expect(textsOf(await logOf(bus), ANA)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it('are left to the relay when they are a minute old, because it checks whether the bus has them', async () => {
    const { openOutbox, store, countPending, calls, state } = await openFixture();
    const outbox = openOutbox();
    const note = await store();
    // The process was suspended after the insert.
    state.now += MINUTE_MS;
    outbox.publish(note);
    expect(calls.publish).toEqual([]);
    outbox.start();
    await poll(async () => (await countPending()) === 0);
    expect(calls.publish).toEqual(note.pendingEvents?.map(({ id }) => id));
  });

  it('stay pending for the relay if they were added after its publish began', async () => {
    const { bus, openOutbox, store, countPending, notes, state } = await openFixture();
    const outbox = openOutbox();
    const note = await store();
    const timestamp = new Date(state.now + 1).toISOString();
    const later = pendingEvents(['decision.approved'], { of: note._id, timestamp });
    await notes.updateOne({ _id: note._id }, { $set: later });
    outbox.publish(note);
    await poll(async () => (await bus.publishedSince(ANA, EPOCH)).size === 2);
    await outbox.stop();
    expect(await countPending()).toBe(1);
    state.now += 6_000;
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    expect(await bus.publishedSince(ANA, EPOCH)).toContain(later.pendingEvents[0]?.id);
  });
});

describe('during an outage of the bus', () => {
  it('loses no event, and publishes all in order afterwards, including new ones', async () => {
    const { bus, openOutbox, store, storeMany, countPending, state, logged } = await openFixture();
    const outbox = openOutbox();
    outbox.start();
    state.isDown = true;
    for (const note of await storeMany(350, alternating)) outbox.publish(note);
    await poll(() => logged.includes('outbox.waiting'));
    expect(await logOf(bus)).toEqual([]);

    state.isDown = false;
    // Documents that are stored while the relay catches up must not overtake queued ones.
    for (let nth = 350; nth < 400; nth++) outbox.publish(await store(alternating(nth)));
    await poll(async () => (await countPending()) === 0);
    const events = await logOf(bus);
    expect(events).toHaveLength(800);
    const odd = Array.from({ length: 200 }, (_, i) => 2 * i + 1);
    expect(textsOf(events, BEN)).toEqual(odd);
    expect(textsOf(events, ANA)).toEqual(odd.map((n) => n + 1));
    expect(logged).toEqual(['outbox.waiting', 'outbox.resumed']);
  });

  it('only the relay tries to publish', async () => {
    const { openOutbox, store, storeMany, state, calls, logged } = await openFixture();
    const outbox = openOutbox({ sweepEveryMs: 60_000 });
    outbox.start();
    state.isDown = true;
    outbox.publish(await store());
    await poll(() => logged.includes('outbox.waiting'));
    const tries = calls.publish.length;
    for (const note of await storeMany(10, alternating)) outbox.publish(note);
    expect(calls.publish).toHaveLength(tries);
  });

  it('lets the relay catch up during many new documents', async () => {
    const { bus, openOutbox, store, countPending, state, logged } = await openFixture();
    const outbox = openOutbox();
    outbox.start();
    state.isDown = true;
    outbox.publish(await store());
    await poll(() => logged.includes('outbox.waiting'));
    state.isDown = false;
    while (!logged.includes('outbox.resumed')) outbox.publish(await store());
    await poll(async () => (await countPending()) === 0);
    const texts = textsOf(await logOf(bus), ANA);
    expect(texts).toEqual(texts.map((_, i) => i + 1));
  });

  it('publishes the events of a change that is stored while the relay publishes the same document', async () => {
    const { watched, openOutbox, store, notes, countPending, state, logged, calls } = await openFixture();
    const gate = createGate();
    const outbox = openOutbox({
      bus: {
        ...watched,
        publishTogether: async (events) => {
          const publishing = watched.publishTogether(events);
          if (!state.isDown) await gate.passed;
          return publishing;
        },
      },
    });
    state.isDown = true;
    const note = await store();
    outbox.publish(note);
    await poll(() => logged.includes('outbox.waiting'));
    state.isDown = false;
    const relayed = calls.publish.length;
    outbox.start();
    await poll(() => calls.publish.length > relayed, { what: 'the relay' });

    const timestamp = new Date(state.now + 1).toISOString();
    const change = pendingEvents(['decision.approved'], { of: note._id, timestamp });
    await notes.updateOne({ _id: note._id }, { $set: change });
    outbox.publish({ ...note, ...change });
    gate.open();
    await poll(async () => (await countPending()) === 0);
    expect(calls.publish).toContain(change.pendingEvents[0]?.id);
  });

  it('stops cleanly, and leaves pending events to the next process', async () => {
    const { bus, openOutbox, store, countPending, state } = await openFixture();
    const outbox = openOutbox();
    outbox.start();
    state.isDown = true;
    for (let i = 0; i < 5; i++) outbox.publish(await store());
    await outbox.stop();
    expect(await countPending()).toBe(5);
    state.isDown = false;
    state.now += 6_000;
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    expect(textsOf(await logOf(bus), ANA)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('after a crash', () => {
  it("publishes by the relay when the writer can't be publishing anymore", async () => {
    const { bus, openOutbox, store, countPending, state } = await openFixture();
    await store(ANA, 4_999);
    await store(BEN, 5_001);
    openOutbox().start();
    await poll(async () => (await countPending()) === 1);
    expect((await logOf(bus)).map(({ accountId }) => accountId)).toEqual([BEN, BEN]);
    state.now += 2;
    await poll(async () => (await countPending()) === 0);
    expect(await logOf(bus)).toHaveLength(4);
  });

  it('stores each event once if it was published but not cleared', async () => {
    const { bus, openOutbox, store, countPending, state } = await openFixture();
    const note = await store();
    for (const pending of note.pendingEvents ?? []) await bus.publish(render(note, pending));
    state.now += 6_000;
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    expect(await logOf(bus)).toHaveLength(2);
  });

  it('publishes only events that the log lacks if they are older than the deduplication window', async () => {
    const { bus, openOutbox, store, countPending, calls } = await openFixture();
    const [whole, half, none] = [
      await store(ANA, 5 * MINUTE_MS),
      await store(ANA, 4 * MINUTE_MS),
      await store(ANA, 3 * MINUTE_MS),
    ];
    for (const pending of whole.pendingEvents ?? []) await bus.publish(render(whole, pending));
    await bus.publish(render(half, half.pendingEvents![0]!));
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    const missing = [half.pendingEvents![1]!, ...none.pendingEvents!].map(({ id }) => id);
    expect(calls.publish).toEqual(missing);
    expect(calls.publishedSince).toHaveLength(1);
    expect(await logOf(bus)).toHaveLength(6);
  });

  it.each([
    ['a document', 1, 1],
    ['a page of documents', 200, 2],
  ])("doesn't republish old events of a document that changed after %s", async (_, count, reads) => {
    const { bus, notes, openOutbox, newNote, storeMany, countPending, state, calls } = await openFixture();
    const changed = newNote();
    for (const pending of changed.pendingEvents ?? []) await bus.publish(render(changed, pending));
    state.now += 8 * MINUTE_MS;
    const others = await storeMany(count, () => ANA, 5 * MINUTE_MS);
    const timestamp = new Date(state.now - 6_000).toISOString();
    const later = pendingEvents(['decision.approved'], { of: changed._id, timestamp });
    const both = [...(changed.pendingEvents ?? []), ...later.pendingEvents];
    await notes.insertOne({ ...changed, ...later, pendingEvents: both });
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    const missing = [...others, later].flatMap((pending) => pending.pendingEvents ?? []);
    expect(calls.publish).toEqual(missing.map(({ id }) => id));
    expect(calls.publishedSince).toHaveLength(reads);
  });

  it('reads the log from before the oldest event, because clocks differ', async () => {
    const { openOutbox, store, countPending, calls, state } = await openFixture();
    await store(ANA, 5 * MINUTE_MS);
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    const since = new Date(state.now - 6 * MINUTE_MS).toISOString();
    expect(calls.publishedSince).toEqual([`${ANA} ${since}`]);
  });

  it('reads the log once per sweep, however many events are pending', async () => {
    const { openOutbox, storeMany, countPending, calls, bus } = await openFixture();
    await storeMany(450, () => ANA, 5 * MINUTE_MS);
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    expect(calls.publishedSince).toHaveLength(1);
    expect(textsOf(await logOf(bus), ANA)).toEqual(Array.from({ length: 450 }, (_, i) => i + 1));
  });

  it("doesn't read the log for recent events", async () => {
    const { openOutbox, store, countPending, calls } = await openFixture();
    await store(ANA, MINUTE_MS);
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    expect(calls.publishedSince).toEqual([]);
  });

  it('waits until the log can be read, and publishes nothing twice', async () => {
    const { openOutbox, store, countPending, calls, state } = await openFixture();
    await store(ANA, 5 * MINUTE_MS);
    state.isDown = true;
    openOutbox().start();
    await poll(() => calls.publishedSince.length >= 2);
    expect(calls.publish).toEqual([]);
    state.isDown = false;
    await poll(async () => (await countPending()) === 0);
  });

  it('publishes each event once with two relays on one store', async () => {
    const { bus, openOutbox, storeMany, countPending } = await openFixture();
    await storeMany(300, alternating, 6_000);
    openOutbox().start();
    openOutbox().start();
    await poll(async () => (await countPending()) === 0);
    const events = await logOf(bus);
    expect(events).toHaveLength(600);
    expect(new Set(events.map(({ id }) => id)).size).toBe(600);
  });

  it('skips events that its own process is publishing', async () => {
    const { watched, openOutbox, store, countPending, state, calls } = await openFixture();
    const gate = createGate();
    const outbox = openOutbox({
      bus: {
        ...watched,
        publishTogether: async (events) => {
          if (events[0]?.accountId === ANA) await gate.passed;
          return watched.publishTogether(events);
        },
      },
    });
    outbox.start();
    outbox.publish(await store(ANA));
    state.now += MINUTE_MS;
    await store(BEN, MINUTE_MS);
    await poll(async () => (await countPending()) === 1, { what: 'a sweep that relays the other document' });
    gate.open();
    await poll(async () => (await countPending()) === 0);
    expect(calls.publish).toHaveLength(4);
  });
});

describe('stop', () => {
  it('waits for current publishes and clears their documents', async () => {
    const { bus, openOutbox, store, countPending } = await openFixture();
    const outbox = openOutbox();
    for (let i = 0; i < 20; i++) outbox.publish(await store());
    await outbox.stop();
    expect(await countPending()).toBe(0);
    expect(await logOf(bus)).toHaveLength(40);
  });
});

describe("a store that can't be read", () => {
  it('is logged once per outage', async () => {
    const { notes, openOutbox, state, logged } = await openFixture();
    let isAway = true;
    let finds = 0;
    const outbox = openOutbox({
      collection: {
        ...notes,
        find: async (...args) => {
          finds++;
          if (isAway) throw new Error('away');
          return notes.find(...args);
        },
      } as Collection<Note>,
    });
    /** Sets the clock, so that the relay doesn't wait after a search that found nothing. */
    const search = async (isStoreAway: boolean, times: number) => {
      isAway = isStoreAway;
      state.now += MINUTE_MS;
      const enough = finds + times;
      await poll(() => finds >= enough, { what: 'searches' });
    };
    outbox.start();
    await search(true, 3);
    await search(false, 1);
    await search(true, 3);
    expect(logged).toEqual(['outbox.sweep_failed', 'outbox.sweep_failed']);
  });
});

describe("a store that can't be written", () => {
  it('keeps events pending, and publishes them again with the same ids, once in the log', async () => {
    const { bus, notes, openOutbox, store, countPending, state, logged } = await openFixture();
    let isFull = true;
    const outbox = openOutbox({
      collection: {
        ...notes,
        find: (...args) => notes.find(...args),
        updateMany: async (filter, update) => {
          if (isFull) throw new Error('no room');
          return notes.updateMany(filter, update);
        },
      } as Collection<Note>,
    });
    outbox.start();
    outbox.publish(await store());
    await poll(() => logged.includes('outbox.not_cleared'));
    expect(await countPending()).toBe(1);
    isFull = false;
    state.now += 6_000;
    await poll(async () => (await countPending()) === 0);
    expect(await logOf(bus)).toHaveLength(2);
  });
});

describe('a document with a pending event of a type that only a newer version knows', () => {
  const unknown = (note: Note): Note => {
    const [first, ...rest] = note.pendingEvents ?? [];
    return { ...note, pendingEvents: [{ ...first!, type: 'form.archived' as EventType }, ...rest] };
  };

  it("keeps its pending events and doesn't block other documents", async () => {
    const { notes, newNote, openOutbox, countPending, bus, calls, logged } = await openFixture();
    await notes.insertMany(Array.from({ length: 250 }, () => unknown(newNote(ANA, MINUTE_MS))));
    const others = Array.from({ length: 3 }, () => newNote(ANA, MINUTE_MS));
    await notes.insertMany(others);
    const outbox = openOutbox();
    outbox.start();
    outbox.publish(unknown(newNote()));
    await poll(async () => (await countPending()) === 250);
    const ids = others.flatMap(({ pendingEvents: pending = [] }) => pending.map(({ id }) => id));
    expect((await logOf(bus)).map(({ id }) => id)).toEqual(ids);
    expect([calls.publish, logged]).toEqual([ids, []]);
  });
});

describe('an event that becomes pending again', () => {
  it('has the same id, unlike one of another type, time or document', () => {
    const timestamp = new Date(MINUTE_MS).toISOString();
    const idOf = (of: string, type: EventType, at = timestamp) =>
      pendingEvents([type], { of, timestamp: at }).pendingEvents[0]?.id;
    const later = new Date(MINUTE_MS + 1).toISOString();
    expect(idOf('sub_1', 'form.submission.new')).toBe(idOf('sub_1', 'form.submission.new'));
    const ids = [
      idOf('sub_1', 'form.submission.new'),
      idOf('sub_1', 'submission.created'),
      idOf('sub_2', 'form.submission.new'),
      idOf('sub_1', 'form.submission.new', later),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => isId('evt', id ?? ''))).toBe(true);
  });
});

describe('a new document', () => {
  const reads = (note: Note) => [String(note.text), note.pendingEvents, note.pendingKey];

  it('is stored, then published, then cleared', async () => {
    const { bus, openOutbox, newNote, notes, countPending } = await openFixture();
    const note = newNote();
    await openOutbox().insert(note);
    expect(await notes.findOne({ _id: note._id })).toMatchObject({ text: note.text });
    await poll(async () => (await countPending()) === 0);
    expect((await logOf(bus)).map(({ id }) => id)).toEqual(note.pendingEvents?.map(({ id }) => id));
  });

  it('shares a commit with its events if possible, and never has pending events', async () => {
    const { bus, openOutbox, newNote, notes, insertWithEvents, calls } = await openFixture();
    const outbox = openOutbox({ insertWithEvents });
    const all = [newNote(ANA), newNote(BEN), newNote(ANA)];
    await Promise.all(all.map((note) => outbox.insert(note)));
    const stored = await notes.find({}, { sort: ['_id'] });
    expect(stored.map(reads)).toEqual(all.map(({ text }) => [text, undefined, undefined]));
    const ids = all.flatMap(({ pendingEvents: pending = [] }) => pending.map(({ id }) => id));
    expect((await logOf(bus)).map(({ id }) => id)).toEqual(ids);
    expect(calls.publish).toEqual([]);
  });

  it("publishes nothing if it is refused, and doesn't affect other writes of its commit", async () => {
    const { bus, openOutbox, newNote, notes, insertWithEvents } = await openFixture();
    const outbox = openOutbox({ insertWithEvents });
    const [first, other] = [newNote(), newNote()];
    await outbox.insert(first);
    const outcomes = await Promise.allSettled([
      outbox.insert({ ...newNote(), _id: first._id }),
      outbox.insert(other),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: { code: 'DUPLICATE_KEY' } });
    expect(await notes.count({})).toBe(2);
    expect(textsOf(await logOf(bus), ANA)).toEqual([first, other].map(({ text }) => Number(text)));
  });

  it("isn't stored if its events can't be written", async () => {
    const { bus, openOutbox, newNote, notes, insertWithEvents } = await openFixture();
    const failing: OutboxDeps<Note>['insertWithEvents'] = (collection, doc, events) =>
      insertInSameCommit(collection, doc, () => {
        bus.join(events).write();
        throw new Error('no room');
      });
    await expect(openOutbox({ insertWithEvents: failing }).insert(newNote())).rejects.toThrow('no room');
    expect(await notes.count({})).toBe(0);
    const after = newNote();
    await openOutbox({ insertWithEvents }).insert(after);
    expect(textsOf(await logOf(bus), ANA)).toEqual([Number(after.text)]);
  });

  it("doesn't overtake documents that are pending after an outage", async () => {
    const { bus, openOutbox, newNote, store, state, logged, countPending, insertWithEvents } =
      await openFixture();
    const outbox = openOutbox({ insertWithEvents });
    state.isDown = true;
    const early = await store();
    outbox.publish(early);
    await poll(() => logged.includes('outbox.waiting'));
    const late = newNote();
    await outbox.insert(late);
    expect(await countPending()).toBe(2);
    state.isDown = false;
    outbox.start();
    await poll(async () => (await countPending()) === 0);
    expect(textsOf(await logOf(bus), ANA)).toEqual([early, late].map(({ text }) => Number(text)));
  });
});
