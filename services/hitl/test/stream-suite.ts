import { EVENT_TYPES, newId } from '@svcforms/contracts';
import { API_KEYS, type ApiKeyRecord } from '@svcforms/identity';
import { ERASURES, newErasure, type ErasureRecord } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { eventsIn, type HitlFixture } from './fixture.ts';

const taskIdsIn = (frames: readonly { data: string }[]) =>
  frames.map(({ data }) => (JSON.parse(data) as { data: { taskId: string } }).data.taskId);

/** Waits until the event of a new task is on the bus: the response doesn't wait for it. */
async function waitForPublished(
  { readEvents }: HitlFixture,
  { id, cursor }: { id: string; cursor: string },
): Promise<void> {
  const reader = await readEvents('hitl.task.created', { lastEventId: cursor });
  await poll(() => taskIdsIn(reader.frames).includes(id), { what: `the event of ${id}` });
  reader.close();
}

/** The event stream, on any backends. */
export function describeStream(fixture: () => HitlFixture): void {
  describeResponse(fixture);
  describeResuming(fixture);
  describeLimits(fixture);
}

function describeResponse(fixture: () => HitlFixture): void {
  it('starts with its headers and a position to resume from', async () => {
    const reader = await fixture().readEvents('hitl.task.created');
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reader.headers).not.toHaveProperty('content-encoding');
    await poll(() => reader.text().includes('position'));
    expect(reader.text()).toMatch(/^retry: 3000\n: connected\n: position [0-9a-z]+-\d+\n$/);
    reader.close();
  });

  it('sends frames with an id, a type and one line of JSON', async () => {
    const { readEvents, createTask } = fixture();
    const reader = await readEvents('hitl.task.created');
    await createTask({ prefill: { amount: 1, reason: 'a\nb\u2028c' } });
    await reader.waitFor(1);
    expect(reader.text()).toMatch(/\nid: [0-9a-z]+-\d+\nevent: hitl\.task\.created\ndata: \{.*\}\n\n$/);
    reader.close();
  });

  it('has blank lines only after data, even when it resumes, waits and ends', async () => {
    const { createTask, readEvents, startReplica } = fixture();
    let ahead = 0;
    const replica = await startReplica({ now: () => Date.now() + ahead });
    const first = await createTask();
    const reader = await readEvents('hitl.task.created', { lastEventId: first.cursor }, replica);
    await reader.waitFor(1);
    ahead = 15_000;
    await poll(() => reader.text().includes(': keepalive'), { what: 'a keepalive' });
    await createTask();
    await reader.waitFor(2);
    ahead = 34 * 60_000;
    await poll(() => reader.hasEnded(), { what: 'the end' });
    const ends = reader.text().split('\n\n');
    expect(ends).toHaveLength(3);
    for (const frame of ends.slice(0, -1)) expect(frame).toMatch(/\ndata: \{.*\}$/);
    await replica.stop();
  });

  it('gives a position before the first frame from which a reader misses nothing', async () => {
    const { createTask, readEvents } = fixture();
    const reader = await readEvents('hitl.task.created');
    const position = await poll(() => reader.lastEventId());
    reader.close();
    const missed = await createTask();
    const again = await readEvents('hitl.task.created', { lastEventId: position });
    await poll(() => taskIdsIn(again.frames).includes(missed.id));
    again.close();
  });

  it.each(['*', EVENT_TYPES.join(','), 'hitl.task.*', 'hitl.task.created, hitl.task.expired', 'form.*'])(
    'accepts %s',
    async (types) => {
      const reader = await fixture().readEvents(encodeURIComponent(types));
      expect(reader.status).toBe(200);
      reader.close();
    },
  );

  it('sends the types that begin with a prefix, and no others', async () => {
    const { readEvents, createTask, decide } = fixture();
    const task = await createTask();
    await decide(task, 'approved');
    const reader = await readEvents('decision.*,hitl.task.completed', { lastEventId: task.cursor });
    await reader.waitFor(3);
    expect(reader.frames.map(({ event }) => event)).toEqual([
      'decision.requested',
      'decision.approved',
      'hitl.task.completed',
    ]);
    reader.close();
  });

  it.each(['hitl.task.deleted', 'decisions.*', 'dec*', '.*', 'x', 'hitl.task.created,', '*,x', 'toString'])(
    'returns 400 for %s and lists the event types',
    async (types) => {
      expect(await fixture().client.get(`/api/mcp/events/${types}`)).toMatchObject({
        status: 400,
        body: { code: 'UNKNOWN_EVENT_TYPE', eventTypes: [...EVENT_TYPES, '*', 'hitl.task.*'] },
      });
    },
  );

  it('needs a key with events:read', async () => {
    const { host, keyWith } = fixture();
    const path = '/api/mcp/events/*';
    expect((await host.client().get(path)).status).toBe(401);
    expect(await (await keyWith(['tasks:read'])).client.get(path)).toMatchObject({
      status: 403,
      body: { requiredScope: 'events:read' },
    });
  });

  it('sends only new events of the requested types to readers without an id', async () => {
    const { readEvents, createTask } = fixture();
    await waitForPublished(fixture(), await createTask());
    const reader = await readEvents('hitl.task.created');
    const task = await createTask();
    await reader.waitFor(1);
    expect(taskIdsIn(reader.frames)).toEqual([task.id]);
    reader.close();
  });
}

function describeResuming(fixture: () => HitlFixture): void {
  it('never sends events of another account, not even with its id and *', async () => {
    const { readEvents, createTask, keyWith } = fixture();
    const stranger = await keyWith(['*'], newId('acc'));
    const watching = await readEvents('*', { token: stranger.key });
    const task = await createTask();
    const own = await readEvents('*', { lastEventId: task.cursor });
    await own.waitFor(2);
    const resumed = await readEvents('*', { token: stranger.key, lastEventId: task.cursor });
    const probe = await createTask();
    await poll(() => own.frames.some(({ data }) => data.includes(probe.id)));
    expect([...watching.frames, ...resumed.frames]).toEqual([]);
    for (const reader of [watching, own, resumed]) reader.close();
  });

  it('resumes after the id on any process, in order, without loss or repetition', async () => {
    const { readEvents, createTask, startReplica, host } = fixture();
    const other = await startReplica();
    const first = await createTask();
    const made = [first.id];
    let lastEventId: string | undefined = first.cursor;
    const seen: string[] = [];
    for (let n = 0; n < 12; n++) {
      const making = createTask().then(({ id }) => made.push(id));
      const reader = await readEvents('hitl.task.created', { lastEventId }, n % 2 ? host : other);
      await reader.waitFor(1);
      if (n % 3 === 0) await making;
      reader.close();
      seen.push(...taskIdsIn(reader.frames));
      lastEventId = reader.lastEventId();
      await making;
      // Created while nobody reads, so it comes from the recent messages or the log.
      made.push((await createTask()).id);
    }
    const reader = await readEvents('hitl.task.created', { lastEventId }, other);
    await poll(() => seen.length + reader.frames.length >= made.length, { what: 'the remaining events' });
    expect([...seen, ...taskIdsIn(reader.frames)]).toEqual(made);
    reader.close();
    await other.stop();
  }, 60_000);

  it('accepts the id in the query, but prefers the header', async () => {
    const { readEvents, createTask } = fixture();
    const first = await createTask();
    await waitForPublished(fixture(), first);
    const second = await createTask();
    const byQuery = await readEvents(`hitl.task.created?lastEventId=${first.cursor}`);
    await byQuery.waitFor(2);
    expect(taskIdsIn(byQuery.frames)).toEqual([first.id, second.id]);
    const byHeader = await readEvents(`hitl.task.created?lastEventId=${first.cursor}`, {
      lastEventId: second.cursor,
    });
    await byHeader.waitFor(1);
    expect(taskIdsIn(byHeader.frames)).toEqual([second.id]);
    for (const reader of [byQuery, byHeader]) reader.close();
  });

  it.each([
    ['of another log', 'abc123-7'],
    ['from the future', 'FUTURE'],
    ['that is malformed', 'nonsense'],
  ])('sends a reset for an id %s, then the oldest events', async (_, given) => {
    const { readEvents, createTask, bus } = fixture();
    const task = await createTask();
    await poll(async () => (await bus.position()) !== task.cursor);
    const requestedId = given === 'FUTURE' ? `${await bus.position()}000` : given;
    const reader = await readEvents('*', { lastEventId: requestedId });
    await poll(() => reader.frames.some(({ data }) => data.includes(task.id)));
    const [epoch] = (await bus.oldest()).split('-');
    expect(reader.frames[0]?.event).toBe('stream.reset');
    expect(eventsIn(reader)[0]).toEqual({
      type: 'stream.reset',
      timestamp: expect.any(String),
      data: { reason: 'unknown', requestedId, firstAvailableId: `${epoch}-1` },
    });
    reader.close();
  });

  it('includes events that are too large for the bus', async () => {
    const { readEvents, createTask, decide } = fixture();
    const reader = await readEvents('hitl.task.completed');
    const reason = 'ä'.repeat(480_000);
    const task = await createTask({ prefill: { amount: 1, reason } });
    await decide(task, 'approved');
    await reader.waitFor(1);
    expect(eventsIn(reader)[0]).toMatchObject({
      data: { taskId: task.id, submission: { amount: 1, reason } },
    });
    reader.close();
  });

  it('allows ten streams per key', async () => {
    const { keyWith, readEvents } = fixture();
    const { key, client } = await keyWith(['events:read']);
    const open = await Promise.all(Array.from({ length: 10 }, () => readEvents('*', { token: key })));
    expect(open.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await client.get('/api/mcp/events/*')).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_STREAMS', message: 'You have 10 streams open; close one first' },
    });
    open[0]?.close();
    const again = await poll(async () => {
      const reader = await readEvents('*', { token: key });
      return reader.status === 200 && reader;
    });
    for (const reader of [...open, again]) reader.close();
  });
}

function describeLimits(fixture: () => HitlFixture): void {
  it('ends within five seconds after its key is deleted', async () => {
    const { keyWith, readEvents, store } = fixture();
    const { key, keyId } = await keyWith(['events:read']);
    const reader = await readEvents('*', { token: key });
    const staying = await readEvents('*');
    await store.collection<ApiKeyRecord>(API_KEYS).deleteOne({ _id: keyId });
    await poll(() => reader.hasEnded(), { what: 'the end', timeoutMs: 5_000 });
    expect(staying.hasEnded()).toBe(false);
    staying.close();
  });

  it('ends within five seconds after its key is deleted, even if the clock was set back', async () => {
    const { keyWith, readEvents, startReplica, store } = fixture();
    let ahead = 0;
    const replica = await startReplica({ now: () => Date.now() + ahead });
    const { key, keyId } = await keyWith(['events:read']);
    const reader = await readEvents('*', { token: key }, replica);
    ahead = -3_600_000;
    await store.collection<ApiKeyRecord>(API_KEYS).deleteOne({ _id: keyId });
    await poll(() => reader.hasEnded(), { what: 'the end', timeoutMs: 5_000 });
    await replica.stop();
  });

  it('closes the stream of a reader that stops reading, which gets everything when it resumes', async () => {
    const { readEvents, createTask, decide, logged } = fixture();
    const reader = await readEvents('hitl.task.completed');
    reader.pause();
    const reason = 'x'.repeat(700_000);
    const made: string[] = [];
    for (let n = 0; n < 24; n++) {
      const task = await createTask({ prefill: { amount: 1, reason } });
      await decide(task, 'approved');
      made.push(task.id);
    }
    await poll(() => logged('stream.stalled').length > 0, { what: 'the end of the stalled stream' });
    reader.resume();
    await poll(() => reader.hasEnded(), { what: 'the end' });
    const before = taskIdsIn(reader.frames);
    const again = await readEvents('hitl.task.completed', { lastEventId: reader.lastEventId() });
    await poll(() => before.length + again.frames.length >= made.length, {
      what: 'the remaining events',
      timeoutMs: 30_000,
    });
    expect([...before, ...taskIdsIn(again.frames)]).toEqual(made);
    again.close();
  }, 90_000);

  it('does not send an event that is erased while it waits for a slow reader', async () => {
    const { accountId, bus, addForm, createTask, decide, readEvents, startReplica } = fixture();
    let ahead = 0;
    const replica = await startReplica({ now: () => Date.now() + ahead });
    const { _id: erasedForm } = await addForm();
    const first = await createTask();
    const reason = 'x'.repeat(700_000);
    for (let n = 0; n < 24; n++)
      await decide(await createTask({ prefill: { amount: 1, reason } }), 'approved');
    const prefill = { amount: 1, reason: 'to be erased' };
    await decide(await createTask({ templateId: erasedForm, prefill }), 'approved');
    const last = await createTask();
    await waitForPublished(fixture(), last);

    const reader = await readEvents('hitl.task.*', { lastEventId: first.cursor }, replica);
    await reader.waitFor(1);
    reader.pause();
    expect(await bus.erase(accountId, { formIds: [erasedForm] })).toBeGreaterThan(0);
    ahead = 3_000;
    reader.resume();
    await poll(() => reader.text().includes(last.id), { what: 'the last event', timeoutMs: 30_000 });
    expect(reader.text().includes('to be erased')).toBe(false);
    expect(new Set(taskIdsIn(reader.frames)).size).toBe(26);
    reader.close();
    await replica.stop();
  }, 90_000);

  it('does not send an erased event from memory, however many erasures are open', async () => {
    const { accountId, store, bus, addForm, createTask, readEvents } = fixture();
    const erasures = store.collection<ErasureRecord>(ERASURES);
    const { _id: erasedForm } = await addForm();
    const live = await readEvents('hitl.task.created');
    const first = await createTask();
    await createTask({ templateId: erasedForm });
    const last = await createTask();
    await poll(() => live.text().includes(last.id), { what: 'the last event' });
    const at = new Date().toISOString();
    const open = Array.from({ length: 300 }, (_, n) =>
      newErasure({ _id: `era_${n}`, kind: 'values', accountId, at, dueAt: '2026-01-01T00:00:00.000Z' }),
    );
    const ofForm = newErasure({
      _id: erasedForm,
      kind: 'form',
      accountId,
      at,
      dueAt: at,
      formIds: [erasedForm],
    });
    await erasures.insertMany([...open, ofForm]);
    expect(await bus.erase(accountId, { formIds: [erasedForm] })).toBeGreaterThan(0);

    const isSent = async () => {
      const again = await readEvents('hitl.task.created', { lastEventId: first.cursor });
      await poll(() => again.text().includes(last.id), { what: 'the last event' });
      again.close();
      return again.text().includes(erasedForm);
    };
    try {
      await poll(async () => !(await isSent()), { what: 'a stream without the erased event' });
    } finally {
      live.close();
      await erasures.deleteMany({});
    }
  });

  it('sends a keepalive every 15 s and ends after about half an hour with a position to resume from', async () => {
    const { readEvents, createTask, startReplica } = fixture();
    let ahead = 0;
    const replica = await startReplica({ now: () => Date.now() + ahead });
    const reader = await readEvents('hitl.task.expired', {}, replica);
    await poll(() => reader.text().includes('position'));
    expect(reader.text()).not.toContain('keepalive');
    ahead = 15_000;
    await poll(() => reader.text().endsWith('\n: keepalive\n'), { what: 'a keepalive' });
    const began = reader.lastEventId();
    // An event of another type.
    await createTask();
    ahead = 26 * 60_000;
    await poll(() => reader.text().split('keepalive').length === 3, { what: 'a second keepalive' });
    expect(reader.hasEnded()).toBe(false);
    ahead = 34 * 60_000;
    await poll(() => reader.hasEnded(), { what: 'the end' });
    expect(reader.text()).toMatch(/\n: position [0-9a-z]+-\d+\n$/);
    expect(reader.lastEventId()).not.toBe(began);
    await replica.stop();
  });

  it('says with a keepalive how far it has read, also without events of its types', async () => {
    const { bus, readEvents, createTask, startReplica } = fixture();
    let ahead = 0;
    const replica = await startReplica({ now: () => Date.now() + ahead });
    const { cursor } = await createTask();
    const reader = await readEvents('hitl.task.expired', { lastEventId: cursor }, replica);
    await waitForPublished(fixture(), await createTask());
    const reached = await bus.position();
    const seqOf = (position = '') => Number(position.split('-')[1]);
    await poll(
      () => {
        // Until a keepalive follows the events.
        ahead += 15_000;
        return seqOf(reader.lastEventId()) >= seqOf(reached);
      },
      { what: 'the position', everyMs: 1_000 },
    );
    expect(reader.hasEnded()).toBe(false);
    expect(reader.text()).toMatch(/\n: position [0-9a-z]+-\d+\n: keepalive\n$/);
    await replica.stop();
  });

  it('returns only headers for HEAD', async () => {
    const { host, key } = fixture();
    const response = await fetch(`${host.url}/api/mcp/events/*`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });

  it('ends, spread over time, when its process stops, and resumes on another', async () => {
    const { readEvents, createTask, startReplica, key } = fixture();
    const leaving = await startReplica({ drainWithinMs: 1_000 });
    const readers = await Promise.all(Array.from({ length: 8 }, () => readEvents('*', {}, leaving)));
    const ends = readers.map(async (reader) => {
      await poll(() => reader.hasEnded(), { what: 'the end', everyMs: 2 });
      return performance.now();
    });
    const waiting = await createTask();
    const asked = leaving.client(key).get<{ status: string }>(`/api/mcp/tasks/${waiting.id}?wait=30`);
    await poll(() => readers.every(({ frames }) => frames.length > 0));
    // After the response to a later request, the waiting request has reached the process.
    await leaving.client(key).get('/livez');
    await leaving.stop();
    expect((await asked).body.data.status).toBe('awaiting');
    const times = (await Promise.all(ends)).toSorted((a, b) => a - b);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(50);
    const task = await createTask();
    const again = await readEvents('hitl.task.created', { lastEventId: readers[0]?.lastEventId() });
    await again.waitFor(1);
    expect(taskIdsIn(again.frames)).toEqual([task.id]);
    again.close();
  });

  it('sends a reset for an id whose events were trimmed, then the oldest events', async () => {
    const { readEvents, createTask, bus } = fixture();
    const old = await createTask();
    const consumption = await bus.consume('reader', { batch: 500, ackWaitMs: 30_000 }, async () => {});
    await poll(async () => {
      await bus.trim({ maxAgeMs: 0, maxBytes: 0 });
      return (await bus.oldest()) === (await bus.position()) && (await bus.oldest()) !== old.cursor;
    });
    await consumption.stop();
    const [epoch, last] = (await bus.oldest()).split('-');
    const reader = await readEvents('hitl.task.created', { lastEventId: old.cursor });
    const task = await createTask();
    await reader.waitFor(2);
    expect(eventsIn(reader)[0]).toMatchObject({
      type: 'stream.reset',
      data: {
        reason: 'expired',
        requestedId: old.cursor,
        firstAvailableId: `${epoch}-${Number(last) + 1}`,
      },
    });
    expect(taskIdsIn(reader.frames.slice(1))).toEqual([task.id]);
    reader.close();
  });
}
