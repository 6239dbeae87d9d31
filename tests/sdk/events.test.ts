import {
  APIConnectionError,
  AuthenticationError,
  BadRequestError,
  PermissionDeniedError,
  StreamGapError,
  SvcFormsError,
  type EventStream,
  type Form,
  type StreamEvent,
  type SvcForms,
} from '@svcforms/sdk';
import { atEnd, freePort, poll } from '@svcforms/test-kit';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';
import { ADA, createContactForm, startProduct, type Product } from './product.ts';

let product: Product;
let client: SvcForms;
let form: Form;
let proxy: FaultyProxy;
let proxied: SvcForms;
/** The position of the stream before the test. */
let cursor: string;

beforeAll(async () => {
  product = await startProduct();
  client = product.client;
});

beforeEach(async () => {
  form = await createContactForm(client);
  proxy = await startFaultyProxy(product.process.url);
  proxied = product.connect({ baseUrl: proxy.url });
  const { eventCursor } = await client.tasks.create({ templateId: form.id, prefill: ADA });
  const stream = client.events.stream('hitl.task.created', { lastEventId: eventCursor });
  cursor = (await nextOf(stream)).id;
  stream.close();
});

const createTask = async (by = client, templateId = form.id): Promise<string> =>
  (await by.tasks.create({ templateId, prefill: ADA })).id;
const createTasks = async (count: number, by = client, templateId = form.id): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await createTask(by, templateId));
  return ids;
};

async function nextOf(stream: EventStream): Promise<StreamEvent> {
  const { done, value } = await stream.next();
  if (done) throw new Error('the stream has ended');
  return value;
}

/** The task ids of the next events. */
async function take(stream: EventStream, count: number): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  while (ids.length < count) ids.push((await nextOf(stream)).taskId);
  return ids;
}

/** Waits until this many requests have arrived, and the response to the last one has started. */
const opened = (count: number) =>
  poll(() => proxy.requests.length >= count && proxy.isResponding(), { what: 'an open stream' });

describe('a stream', () => {
  it('has the events in order with their ids', async () => {
    const { id } = await client.tasks.create({ templateId: form.id, prefill: ADA, priority: 'high' });
    await client.tasks.decide(id, { outcome: 'approved' });
    const stream = client.events.stream('hitl.task.*', { lastEventId: cursor });
    expect(stream.lastEventId).toBe(cursor);
    const [created, completed] = [await nextOf(stream), await nextOf(stream)];
    expect(stream.lastEventId).toBe(completed.id);
    stream.close();
    expect([created.type, completed.type]).toEqual(['hitl.task.created', 'hitl.task.completed']);
    expect([created.taskId, completed.taskId]).toEqual([id, id]);
    expect(created.data).toMatchObject({ templateId: form.id, priority: 'high' });
    expect(completed.data).toMatchObject({ submissionId: completed.submissionId, submission: ADA });
    const types = ['hitl.task.created', 'hitl.task.completed'] as const;
    const seen: string[] = [];
    for await (const event of client.events.stream(types, { lastEventId: created.id })) {
      seen.push(event.id);
      break;
    }
    expect(seen).toEqual([completed.id]);
  });

  it('continues from the cursor of a task, and knows the task of a decision', async () => {
    const task = await client.tasks.create({ templateId: form.id, prefill: ADA });
    await client.tasks.decide(task.id, { outcome: 'rejected' });
    const stream = client.events.stream('decision.rejected', { lastEventId: task.eventCursor });
    expect(await nextOf(stream)).toMatchObject({ type: 'decision.rejected', taskId: task.id });
    stream.close();
  });

  it('has only new events by default, and loses none when it breaks before the first one', async () => {
    await createTask();
    const stream = proxied.events.stream('hitl.task.created');
    const events = take(stream, 3);
    await opened(1);
    await poll(() => proxy.forwarded().includes(': position'), { what: 'the position of the stream' });
    proxy.refuse(true);
    proxy.cut();
    const missed = await createTasks(3);
    proxy.refuse(false);
    expect(await events).toEqual(missed);
    stream.close();
  });

  it('loses and repeats no events when connections break', async () => {
    const stream = proxied.events.stream('hitl.task.created', { lastEventId: cursor });
    const created: string[] = [];
    const seen: string[] = [];
    for (let round = 0; round < 5; round++) {
      created.push(...(await createTasks(5)));
      // Breaks in the middle of a frame, between frames, and before the first frame.
      proxy.cutAfter(700 + 61 * round);
      if (round % 2) proxy.cut();
      created.push(...(await createTasks(5)));
    }
    while (seen.length < created.length) seen.push((await nextOf(stream)).taskId ?? '');
    expect(seen).toEqual(created);
    const last = await createTask();
    expect(await take(stream, 1)).toEqual([last]);
    expect(proxy.requests.length).toBeGreaterThan(1);
    stream.close();
  });

  it('has a repeated frame once', async () => {
    const event = { type: 'x', timestamp: '2026-01-01T00:00:00Z', data: { taskId: 'tsk_1' } };
    const frame = `id: x-1\nevent: hitl.task.created\ndata: ${JSON.stringify(event)}\n\n`;
    const headers = ['Content-Type: text/event-stream'];
    proxy.respond('200 OK', { headers, body: frame + frame, times: 2 });
    const stream = proxied.events.stream('hitl.task.created', { lastEventId: cursor });
    expect(await take(stream, 1)).toEqual(['tsk_1']);
    // The third connection reaches the server, which doesn't know that id.
    await expect(stream.next()).rejects.toThrow(StreamGapError);
    expect(proxy.requests).toHaveLength(3);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('survives killed servers', async () => {
    const own = await startProduct();
    const creator = own.connect({ maxRetries: 10 });
    const ownForm = await createContactForm(creator);
    const first = await creator.tasks.create({ templateId: ownForm.id, prefill: ADA });
    const stream = own.client.events.stream('hitl.task.created', { lastEventId: first.eventCursor });
    expect(await take(stream, 1)).toEqual([first.id]);
    const created = await createTasks(3, creator, ownForm.id);
    await own.process.kill('SIGKILL');
    const more = createTasks(3, creator, ownForm.id);
    await own.process.restart();
    created.push(...(await more));
    expect(new Set(await take(stream, created.length))).toEqual(new Set(created));
    stream.close();
  });

  it('reads chunks of any size, line ends and comments', async () => {
    const data = JSON.stringify({ type: 'x', timestamp: 't', data: { taskId: 'zoë 👩‍🚀' } });
    const bytes = Buffer.from(
      `\uFEFF: hello\r\n\r\nretry: 1\r\nid: a-1\r\nevent: x\rdata:${data}\n\n: position a-2\n\nid: a-3\ndata: ${data}\n\n`,
    );
    const lastIds: unknown[] = [];
    const server = createServer((request, response) => {
      lastIds.push(request.headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      void (async () => {
        if (lastIds.length > 1) return;
        for (const byte of bytes) {
          response.write(Uint8Array.of(byte));
          await new Promise(setImmediate);
        }
        response.end(': position a-9\n\n');
      })();
    });
    const stream = product
      .connect({ baseUrl: await listen(server) })
      .events.stream('x', { lastEventId: 'a-0' });
    expect([await nextOf(stream), await nextOf(stream)]).toMatchObject([
      { id: 'a-1', taskId: 'zoë 👩‍🚀' },
      { id: 'a-3', taskId: 'zoë 👩‍🚀' },
    ]);
    const waiting = stream.next();
    await poll(() => lastIds.length === 2, { what: 'the second connection' });
    // It continues after the position, and not after the last event.
    expect(lastIds).toEqual(['a-0', 'a-9']);
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('moves to the positions that the server reports, but not past an event that it still has', async () => {
    const frame = (id: string) => `id: ${id}\ndata: {"type":"x","timestamp":"t","data":{}}\n\n`;
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${frame('a-1')}${frame('a-2')}: position a-3\n\n`);
    });
    const stream = product
      .connect({ baseUrl: await listen(server) })
      .events.stream('x', { lastEventId: 'a-0' });
    atEnd(() => stream.close());
    await nextOf(stream);
    expect(stream.lastEventId).toBe('a-1');
    await nextOf(stream);
    expect(stream.lastEventId).toBe('a-2');
    const waiting = stream.next();
    await poll(() => stream.lastEventId === 'a-3', { what: 'the position' });
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(stream.lastEventId).toBe('a-3');
  });
});

describe('the end of a stream', () => {
  it('is a gap, unless gaps are allowed', async () => {
    const unknown = `another-${cursor.split('-').at(-1)}`;
    const error: unknown = await client.events
      .stream('*', { lastEventId: unknown })
      .next()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StreamGapError);
    expect(error).toMatchObject({
      reason: 'unknown',
      requestedId: unknown,
      firstAvailableId: expect.any(String),
    });
    const stream = client.events.stream('*', { lastEventId: unknown, onGap: 'continue' });
    expect((await nextOf(stream)).id).toEqual(expect.any(String));
    stream.close();
  });

  it('is a refusal, or a first connection that fails', async () => {
    await expect(client.events.stream('no.such.event').next()).rejects.toThrow(BadRequestError);
    const { key } = await client.keys.create({ name: 'x', scopes: ['forms:read'] });
    await expect(product.connect({ apiKey: key }).events.stream().next()).rejects.toThrow(
      PermissionDeniedError,
    );
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const nobody = product.connect({ baseUrl, maxRetries: 0 });
    await expect(nobody.events.stream().next()).rejects.toThrow(APIConnectionError);
    expect(() => client.events.stream([])).toThrow('at least one');
    expect(() => client.events.stream('*', { lastEventId: '' })).toThrow('is empty');
  });

  it('is a deleted key', async () => {
    const key = await client.keys.create({ name: 'watcher', scopes: ['events:read'] });
    const stream = product
      .connect({ apiKey: key.key, baseUrl: proxy.url })
      .events.stream('decision.approved');
    const next = stream.next();
    await opened(1);
    await client.keys.delete(key.id);
    await expect(next).rejects.toThrow(AuthenticationError);
  });

  it('is a response that is no stream', async () => {
    proxy.respond('200 OK', { headers: ['Content-Type: text/html'], body: '<html>' });
    const failed = proxied.events.stream().next();
    await expect(failed).rejects.toThrow(SvcFormsError);
    await expect(failed).rejects.toThrow('returned 200 without text/event-stream. Check that');
  });

  it('is the signal of the caller, with its reason', async () => {
    const controller = new AbortController();
    const stream = proxied.events.stream('hitl.task.created', {
      lastEventId: cursor,
      signal: controller.signal,
    });
    await createTask();
    await nextOf(stream);
    const waiting = stream.next();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const aborted = client.events.stream('*', { signal: AbortSignal.abort(reason) });
    await expect(aborted.next()).rejects.toBe(reason);
  });

  it.each(['close', 'signal'])('is between two events of one chunk (%s)', async (how) => {
    const event = { type: 'x', timestamp: '2026-01-01T00:00:00Z', data: {} };
    const frames = ['x-1', 'x-2', 'x-3'].map((id) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`);
    proxy.respond('200 OK', { headers: ['Content-Type: text/event-stream'], body: frames.join('') });
    const controller = new AbortController();
    const reason = new Error('enough');
    const stream = proxied.events.stream('x', { lastEventId: cursor, signal: controller.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of stream) {
        seen.push(id);
        if (how === 'close') stream.close();
        else controller.abort(reason);
      }
    })();
    if (how === 'close') await reading;
    else await expect(reading).rejects.toBe(reason);
    expect(seen).toEqual(['x-1']);
    expect(stream.lastEventId).toBe('x-1');
  });

  it('is not a limit of the server', async () => {
    const stream = proxied.events.stream('hitl.task.created', { lastEventId: cursor });
    await createTask();
    await nextOf(stream);
    proxy.respond('429 X', { headers: ['Retry-After: 0'], body: '{"code":"TOO_MANY_STREAMS"}' });
    proxy.respond('503 X');
    proxy.cut();
    const next = take(stream, 1);
    const id = await createTask();
    expect(await next).toEqual([id]);
    expect(proxy.requests).toHaveLength(4);
    stream.close();
  });

  it('connects again within two minutes when a maintenance page says Retry-After: 7200', async () => {
    const lines: string[] = [];
    const logger = { info: (line: string) => void lines.push(line), debug: () => {} };
    const stream = product
      .connect({ baseUrl: proxy.url, logger })
      .events.stream('hitl.task.created', { lastEventId: cursor });
    await createTask();
    await nextOf(stream);
    const waiting = stream.next();
    proxy.respond('503 X', { headers: ['Retry-After: 7200'] });
    proxy.cut();
    await poll(() => lines.some((line) => line.endsWith('reconnecting in 120000 ms')), { what: 'the delay' });
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('pauses before the next connection when a proxy says Retry-After: 0', async () => {
    const times: number[] = [];
    const stream = product
      .connect({
        maxRetries: 0,
        fetch: async () => {
          times.push(performance.now());
          if (times.length > 1) return new Response('', { status: 503, headers: { 'Retry-After': '0' } });
          return new Response(': position x-1\n\n', { headers: { 'Content-Type': 'text/event-stream' } });
        },
      })
      .events.stream('*', { lastEventId: cursor });
    const waiting = stream.next();
    await poll(() => times.length > 3, { what: 'two refused connections' });
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect((times[3] ?? 0) - (times[2] ?? 0)).toBeGreaterThan(200);
  });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
