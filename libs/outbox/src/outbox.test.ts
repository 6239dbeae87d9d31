import { isId, newId, type BusEvent, type EventType } from '@svcforms/contracts';
import type { Collection, CollectionSpec } from '@svcforms/document-store';
import { insertInSameCommit } from '@svcforms/document-store/embedded';
import { EventBusError, type EventBus } from '@svcforms/event-bus';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { atEnd, poll, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createOutbox, type OutboxDeps } from './outbox.ts';
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

/** A store and a bus of their own, with a switch that takes the bus away and a record of what it was asked. */
async function openStage() {
  const { store, bus } = openEmbeddedPair();
  const notes: Collection<Note> = store.collection(NOTES);
  await store.ensureIndexes();

  const logged: string[] = [];
  const log = (fields: object) => void logged.push(String((fields as { event: unknown }).event));
  const asked = { publish: [] as string[], publishedSince: [] as string[] };
  const state = { isDown: false, now: Date.now() };
  const watched: OutboxDeps<Note>['bus'] = {
    async publish(event) {
      asked.publish.push(event.id);
      if (state.isDown) throw new EventBusError('UNAVAILABLE', 'away');
      return bus.publish(event);
    },
    async publishedSince(...args) {
      asked.publishedSince.push(args.join(' '));
      if (state.isDown) throw new EventBusError('UNAVAILABLE', 'away');
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
  /** A note that owes events, `ageMs` old; its text is the next number. */
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
    asked,
    logged,
    openOutbox,
    newNote,
    /** As a composition makes it where store and bus share a database. */
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
    /** How many documents still owe events. */
    owing: () => notes.count({ pendingKey: { $exists: true } }),
  };
}

const byTurns = (nth: number) => (nth % 2 ? ANA : BEN);

/** All that the log holds, in order. */
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

describe('what a document owes the bus', () => {
  it('is published at once, in its order, with the body of its document, and taken out of it.', async () => {
    const { bus, openOutbox, store, owing, notes } = await openStage();
    const outbox = openOutbox();
    const note = await store();
    outbox.publish(note);
    await poll(async () => (await owing()) === 0);
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

  it('is published in the order in which the documents were stored.', async () => {
    const { bus, openOutbox, store, owing } = await openStage();
    const outbox = openOutbox();
    for (let i = 0; i < 50; i++) outbox.publish(await store());
    await poll(async () => (await owing()) === 0);
    expect(textsOf(await logOf(bus), ANA)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it('that came to it after it was published stays, and is the relay’s.', async () => {
    const { bus, openOutbox, store, owing, notes, state } = await openStage();
    const outbox = openOutbox();
    const note = await store();
    const timestamp = new Date(state.now + 1).toISOString();
    const later = pendingEvents(['decision.approved'], { of: note._id, timestamp });
    await notes.updateOne({ _id: note._id }, { $set: later });
    outbox.publish(note);
    await poll(async () => (await bus.publishedSince(ANA, EPOCH)).size === 2);
    await outbox.stop();
    expect(await owing()).toBe(1);
    state.now += 6_000;
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    expect(await bus.publishedSince(ANA, EPOCH)).toContain(later.pendingEvents[0]?.id);
  });
});

describe('while the bus is away', () => {
  it('nothing is lost, and all follows in its order when it is back, also what came meanwhile.', async () => {
    const { bus, openOutbox, store, storeMany, owing, state, logged } = await openStage();
    const outbox = openOutbox();
    outbox.start();
    state.isDown = true;
    for (const note of await storeMany(350, byTurns)) outbox.publish(note);
    await poll(() => logged.includes('outbox.waiting'));
    expect(await logOf(bus)).toEqual([]);

    state.isDown = false;
    // What is stored while the relay catches up must not overtake what has been waiting.
    for (let nth = 350; nth < 400; nth++) outbox.publish(await store(byTurns(nth)));
    await poll(async () => (await owing()) === 0);
    const events = await logOf(bus);
    expect(events).toHaveLength(800);
    const odd = Array.from({ length: 200 }, (_, i) => 2 * i + 1);
    expect(textsOf(events, BEN)).toEqual(odd);
    expect(textsOf(events, ANA)).toEqual(odd.map((n) => n + 1));
    expect(logged).toEqual(['outbox.waiting', 'outbox.resumed']);
  });

  it('the relay alone tries.', async () => {
    const { openOutbox, store, storeMany, state, asked, logged } = await openStage();
    const outbox = openOutbox({ sweepEveryMs: 60_000 });
    outbox.start();
    state.isDown = true;
    outbox.publish(await store());
    await poll(() => logged.includes('outbox.waiting'));
    const tries = asked.publish.length;
    for (const note of await storeMany(10, byTurns)) outbox.publish(note);
    expect(asked.publish).toHaveLength(tries);
  });

  it('a flood does not keep the relay from catching up.', async () => {
    const { bus, openOutbox, store, owing, state, logged } = await openStage();
    const outbox = openOutbox();
    outbox.start();
    state.isDown = true;
    outbox.publish(await store());
    await poll(() => logged.includes('outbox.waiting'));
    state.isDown = false;
    while (!logged.includes('outbox.resumed')) outbox.publish(await store());
    await poll(async () => (await owing()) === 0);
    const texts = textsOf(await logOf(bus), ANA);
    expect(texts).toEqual(texts.map((_, i) => i + 1));
  });

  it('is no reason to end badly: what is left is the next process’s.', async () => {
    const { bus, openOutbox, store, owing, state } = await openStage();
    const outbox = openOutbox();
    outbox.start();
    state.isDown = true;
    for (let i = 0; i < 5; i++) outbox.publish(await store());
    await outbox.stop();
    expect(await owing()).toBe(5);
    state.isDown = false;
    state.now += 6_000;
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    expect(textsOf(await logOf(bus), ANA)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('after a crash', () => {
  it('between storing and publishing the relay publishes, once nobody else can be at it.', async () => {
    const { bus, openOutbox, store, owing, state } = await openStage();
    await store(ANA, 4_999);
    await store(BEN, 5_001);
    openOutbox().start();
    await poll(async () => (await owing()) === 1);
    expect((await logOf(bus)).map(({ accountId }) => accountId)).toEqual([BEN, BEN]);
    state.now += 2;
    await poll(async () => (await owing()) === 0);
    expect(await logOf(bus)).toHaveLength(4);
  });

  it('between publishing and clearing the log holds each event once.', async () => {
    const { bus, openOutbox, store, owing, state } = await openStage();
    const note = await store();
    for (const pending of note.pendingEvents ?? []) await bus.publish(render(note, pending));
    state.now += 6_000;
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    expect(await logOf(bus)).toHaveLength(2);
  });

  it('long ago the relay asks the log and publishes only what is not there: the bus has forgotten ids.', async () => {
    const { bus, openOutbox, store, owing, asked } = await openStage();
    const [whole, half, none] = [
      await store(ANA, 5 * MINUTE_MS),
      await store(ANA, 4 * MINUTE_MS),
      await store(ANA, 3 * MINUTE_MS),
    ];
    for (const pending of whole.pendingEvents ?? []) await bus.publish(render(whole, pending));
    await bus.publish(render(half, half.pendingEvents![0]!));
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    const missing = [half.pendingEvents![1]!, ...none.pendingEvents!].map(({ id }) => id);
    expect(asked.publish).toEqual(missing);
    expect(asked.publishedSince).toHaveLength(1);
    expect(await logOf(bus)).toHaveLength(6);
  });

  it('asks the log from before the oldest event on: the clocks of two machines differ.', async () => {
    const { openOutbox, store, owing, asked, state } = await openStage();
    await store(ANA, 5 * MINUTE_MS);
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    const since = new Date(state.now - 6 * MINUTE_MS).toISOString();
    expect(asked.publishedSince).toEqual([`${ANA} ${since}`]);
  });

  it('asks the log once a sweep, however much was left.', async () => {
    const { openOutbox, storeMany, owing, asked, bus } = await openStage();
    await storeMany(450, () => ANA, 5 * MINUTE_MS);
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    expect(asked.publishedSince).toHaveLength(1);
    expect(textsOf(await logOf(bus), ANA)).toEqual(Array.from({ length: 450 }, (_, i) => i + 1));
  });

  it('of a short while ago does not ask the log.', async () => {
    const { openOutbox, store, owing, asked } = await openStage();
    await store(ANA, MINUTE_MS);
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    expect(asked.publishedSince).toEqual([]);
  });

  it('waits where the log can not be asked, and publishes nothing twice.', async () => {
    const { openOutbox, store, owing, asked, state } = await openStage();
    await store(ANA, 5 * MINUTE_MS);
    state.isDown = true;
    openOutbox().start();
    await poll(() => asked.publishedSince.length >= 2);
    expect(asked.publish).toEqual([]);
    state.isDown = false;
    await poll(async () => (await owing()) === 0);
  });

  it('two relays on one store publish each event once.', async () => {
    const { bus, openOutbox, storeMany, owing } = await openStage();
    await storeMany(300, byTurns, 6_000);
    openOutbox().start();
    openOutbox().start();
    await poll(async () => (await owing()) === 0);
    const events = await logOf(bus);
    expect(events).toHaveLength(600);
    expect(new Set(events.map(({ id }) => id)).size).toBe(600);
  });

  it('leaves alone what its own process is publishing just now.', async () => {
    const { watched, openOutbox, store, owing, state, asked } = await openStage();
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const outbox = openOutbox({
      bus: {
        ...watched,
        publish: async (event) => {
          if (event.accountId === ANA) await gate;
          return watched.publish(event);
        },
      },
    });
    outbox.start();
    outbox.publish(await store(ANA));
    state.now += MINUTE_MS;
    await store(BEN, MINUTE_MS);
    await poll(async () => (await owing()) === 1, { what: 'a sweep that relays the other document' });
    go();
    await poll(async () => (await owing()) === 0);
    expect(asked.publish).toHaveLength(4);
  });
});

describe('a stop', () => {
  it('waits for what is being published, and takes it out of its documents.', async () => {
    const { bus, openOutbox, store, owing } = await openStage();
    const outbox = openOutbox();
    for (let i = 0; i < 20; i++) outbox.publish(await store());
    await outbox.stop();
    expect(await owing()).toBe(0);
    expect(await logOf(bus)).toHaveLength(40);
  });
});

describe('a store that can not be written', () => {
  it('keeps the marks; the events are published again under the same ids, and once in the log.', async () => {
    const { bus, notes, openOutbox, store, owing, state, logged } = await openStage();
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
    expect(await owing()).toBe(1);
    isFull = false;
    state.now += 6_000;
    await poll(async () => (await owing()) === 0);
    expect(await logOf(bus)).toHaveLength(2);
  });
});

describe('a document that owes an event of a type that only a newer version knows', () => {
  const unknown = (note: Note): Note => {
    const [first, ...rest] = note.pendingEvents ?? [];
    return { ...note, pendingEvents: [{ ...first!, type: 'form.archived' as EventType }, ...rest] };
  };

  it('keeps all that it owes, and holds up nobody else, however many there are.', async () => {
    const { notes, newNote, openOutbox, owing, bus, asked, logged } = await openStage();
    await notes.insertMany(Array.from({ length: 250 }, () => unknown(newNote(ANA, MINUTE_MS))));
    const others = Array.from({ length: 3 }, () => newNote(ANA, MINUTE_MS));
    await notes.insertMany(others);
    const outbox = openOutbox();
    outbox.start();
    outbox.publish(unknown(newNote()));
    await poll(async () => (await owing()) === 250);
    const ids = others.flatMap(({ pendingEvents: owed = [] }) => owed.map(({ id }) => id));
    expect((await logOf(bus)).map(({ id }) => id)).toEqual(ids);
    expect([asked.publish, logged]).toEqual([ids, []]);
  });
});

describe('an event that is owed once more', () => {
  it('is the same event, and one of another type, time or document is not.', () => {
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

  it('is stored, then published, then owes nothing.', async () => {
    const { bus, openOutbox, newNote, notes, owing } = await openStage();
    const note = newNote();
    await openOutbox().insert(note);
    expect(await notes.findOne({ _id: note._id })).toMatchObject({ text: note.text });
    await poll(async () => (await owing()) === 0);
    expect((await logOf(bus)).map(({ id }) => id)).toEqual(note.pendingEvents?.map(({ id }) => id));
  });

  it('shares a commit with its events where that is possible, and owes nothing from the beginning.', async () => {
    const { bus, openOutbox, newNote, notes, insertWithEvents, asked } = await openStage();
    const outbox = openOutbox({ insertWithEvents });
    const all = [newNote(ANA), newNote(BEN), newNote(ANA)];
    await Promise.all(all.map((note) => outbox.insert(note)));
    const stored = await notes.find({}, { sort: ['_id'] });
    expect(stored.map(reads)).toEqual(all.map(({ text }) => [text, undefined, undefined]));
    const ids = all.flatMap(({ pendingEvents: owed = [] }) => owed.map(({ id }) => id));
    expect((await logOf(bus)).map(({ id }) => id)).toEqual(ids);
    expect(asked.publish).toEqual([]);
  });

  it('that is refused publishes nothing, and what shared its commit stands.', async () => {
    const { bus, openOutbox, newNote, notes, insertWithEvents } = await openStage();
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

  it('is not stored where its events can not be written.', async () => {
    const { bus, openOutbox, newNote, notes, insertWithEvents } = await openStage();
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

  it('does not overtake those that wait for a bus that was away.', async () => {
    const { bus, openOutbox, newNote, store, state, logged, owing, insertWithEvents } = await openStage();
    const outbox = openOutbox({ insertWithEvents });
    state.isDown = true;
    const early = await store();
    outbox.publish(early);
    await poll(() => logged.includes('outbox.waiting'));
    const late = newNote();
    await outbox.insert(late);
    expect(await owing()).toBe(2);
    state.isDown = false;
    outbox.start();
    await poll(async () => (await owing()) === 0);
    expect(textsOf(await logOf(bus), ANA)).toEqual([early, late].map(({ text }) => Number(text)));
  });
});
