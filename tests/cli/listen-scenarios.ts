import { EVENT_TYPES } from '@svcforms/contracts';
import { atEnd, createGate, freePort, poll, tempFolder, type ReceivedRequest } from '@svcforms/test-kit';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createRelay, type AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { expectSigned, secretIn, submissionIdOf, type CliFixture } from './fixture.ts';
import { startProgram } from './program.ts';

/** Headers that belong to the connection, or are new on each attempt and for each receiver. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|svc-delivery-id|svc-signature|webhook-signature|webhook-timestamp)$/;

function sharedHeaders({ headers }: ReceivedRequest) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name)));
}

export function listenScenarios(fixture: () => CliFixture): void {
  it('forwards every event with the bytes, headers and signatures of a webhook', async () => {
    const { addAccountWebhook, client, createTask, endpoint, listen, submit, userEnv } = fixture();
    const [webhookEndpoint, local] = [await endpoint(), await endpoint()];
    const webhook = await addAccountWebhook(webhookEndpoint.url, EVENT_TYPES);
    const program = await listen(userEnv(), `${local.url}/hooks`);
    await submit('a\u2028b \ud83d alone 👩‍👩‍👧‍👦 </script> \u0000', { 'svc-hops': '2' });
    const [approved, rejected, cancelled] = [
      await createTask('Refund "120" €'),
      await createTask('b'),
      await createTask('c'),
    ];
    for (const [task, outcome] of [
      [approved, 'approved'],
      [rejected, 'rejected'],
    ] as const)
      await client.post(`/api/mcp/tasks/${task.id}/decision`, { body: { outcome }, expect: 200 });
    await client.post(`/api/mcp/tasks/${cancelled.id}/cancel`, { body: {}, expect: 200 });
    // A submission, three new tasks with two events, two decisions with three, and a cancellation.
    const sent = await webhookEndpoint.waitFor(14, 'the events at the webhook');
    const forwarded = await local.waitFor(14, 'the events at the local server');
    for (const request of forwarded) {
      const original = sent.find(
        ({ headers }) => headers['svc-event-id'] === request.headers['svc-event-id'],
      );
      expect(original && request.rawBody.equals(original.rawBody)).toBe(true);
      expect(original && sharedHeaders(original)).toEqual(sharedHeaders(request));
      expect(request.headers['svc-delivery-id']).toMatch(/^del_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect([request.method, request.path]).toEqual(['POST', '/hooks']);
      expectSigned(request, secretIn(program));
    }
    expect(forwarded[0]?.headers['svc-hops']).toBe('3');
    await poll(() => program.lines().length === 14, { what: 'a line for each request' });
    expect(program.lines()[0]).toMatchObject({
      type: 'form.submission.new',
      eventId: forwarded[0]?.headers['svc-event-id'],
      deliveryId: forwarded[0]?.headers['svc-delivery-id'],
      status: 200,
      durationMs: expect.any(Number),
      error: null,
      isRetry: false,
    });
    expect(await program.end('SIGINT')).toBe(0);
    expect(program.stderr).toContain('14 requests succeeded, 0 failed.');
    await client.delete(`/api/webhooks/${webhook.id}`, { expect: 204 });
  });

  it.each([
    ['', '/hooks'],
    ['', '?from=svcforms'],
    [':', '/hooks'],
    ['localhost:', '/hooks'],
  ])('forwards to "%s", a port and "%s"', async (prefix, rest) => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint();
    const { port } = new URL(local.url);
    const program = await listen(userEnv(), `${prefix}${port}${rest}`);
    const { href, pathname, search } = new URL(rest, `http://localhost:${port}`);
    expect(program.stderr).toContain(` to ${href}\n`);
    const id = await submit('by its port');
    await poll(() => local.requests.map(submissionIdOf).includes(id), { what: 'the event' });
    expect(local.requests[0]?.path).toBe(pathname + search);
    await program.end('SIGTERM');
  });

  it('continues after a pause with exactly what happened in between, in order', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint();
    const env = userEnv();
    const first = await listen(env, local.url, ['--events', 'form.submission.new']);
    const before = await submit('before');
    await local.waitFor(1);
    await first.end('SIGTERM');
    const during = [await submit('1'), await submit('2'), await submit('3')];
    const again = await listen(env, local.url, ['--events', 'form.submission.new']);
    await local.waitFor(4);
    expect(local.requests.map(submissionIdOf)).toEqual([before, ...during]);
    expect(again.stderr).toContain('Continuing after the last event of ');
    await again.end('SIGTERM');
    const reset = await listen(env, local.url, ['--events', 'form.submission.new', '--reset']);
    const last = await submit('after the reset');
    await local.waitFor(5);
    expect(local.requests.map(submissionIdOf).at(-1)).toBe(last);
    await reset.end('SIGTERM');
  });

  it('misses nothing when it is killed before the first event', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint();
    const env = userEnv();
    const first = await listen(env, local.url);
    await first.end('SIGKILL');
    const missed = await submit('missed');
    const again = await listen(env, local.url);
    await local.waitFor(1);
    expect(local.requests.map(submissionIdOf)).toEqual([missed]);
    await again.end('SIGTERM');
  });

  it('forwards an event again when it is killed before the response', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint((_, nth) => (nth === 1 ? 'hang' : {}));
    const env = userEnv();
    const first = await listen(env, local.url);
    const id = await submit('interrupted');
    await local.waitFor(1);
    await first.end('SIGKILL');
    const again = await listen(env, local.url);
    await local.waitFor(2);
    expect(local.requests.map(submissionIdOf)).toEqual([id, id]);
    expect(local.requests[1]?.headers['svc-event-id']).toBe(local.requests[0]?.headers['svc-event-id']);
    await again.end('SIGTERM');
  });

  it('is ready when a server that was down at the start responds', async () => {
    const { endpoint, product, submit, userEnv } = fixture();
    const local = await endpoint();
    const port = await freePort();
    const env = { ...userEnv(), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    const programs = [
      ['listen', '--forward', local.url],
      ['events', 'tail'],
    ].map((args) => startProgram(args, env));
    for (const program of programs) await program.waitFor(`No connection to ${env.SVC_BASE_URL} (`);
    const relay = createRelay((socket) => {
      const server = connect(Number(new URL(product.url).port), '127.0.0.1');
      socket.pipe(server).pipe(socket);
      for (const end of [socket, server]) end.on('error', () => end.destroy());
    }).listen(port, '127.0.0.1');
    atEnd(() => void relay.close());
    for (const program of programs) await program.waitFor('Ready.');
    const id = await submit('after the start of the server');
    await poll(() => local.requests.map(submissionIdOf).includes(id), { what: 'the event' });
    for (const program of programs) {
      expect(program.stderr).not.toContain('Connected.');
      await program.end('SIGTERM');
    }
  });

  it('forwards nothing more once it is told to end, and continues there', async () => {
    const { endpoint, userEnv } = fixture();
    const gate = createGate();
    const local = await endpoint(async () => (await gate.passed, {}));
    const positions = ['x-1', 'x-2', 'x-3'];
    const server = await startEventServer(positions);
    const env = { ...userEnv(), SVC_BASE_URL: server.url };
    const first = startProgram(['listen', '--forward', local.url, '--from', 'x-0'], env);
    await local.waitFor(1);
    const ended = first.end('SIGTERM');
    // It closes the stream when it gets the signal.
    await poll(() => server.closed() === 1, { what: 'the end of the stream' });
    gate.open();
    expect(await ended).toBe(0);
    expect(first.stderr).toContain('1 request succeeded, 0 failed.');
    expect(local.requests).toHaveLength(1);
    const again = startProgram(['listen', '--forward', local.url], env);
    await local.waitFor(3);
    await again.end('SIGTERM');
    expect(server.continuedAfter).toEqual(['x-0', 'x-1']);
    expect(local.requests.map(({ headers }) => headers['svc-event-id'])).toEqual(positions.map(eventIdOf));
  });

  it('shows failures, continues, and sends failed events again on request', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint((_, nth) => (nth === 2 ? 'reset' : { status: nth <= 3 ? 500 : 204 }));
    const program = await listen(userEnv(), local.url, ['--events', 'form.*']);
    program.type('r\n');
    await program.waitFor('There is no event to retry yet.');
    const [one, two, three, four] = [
      await submit('1'),
      await submit('2'),
      await submit('3'),
      await submit('4'),
    ];
    await local.waitFor(4);
    program.type('r\n');
    await local.waitFor(5);
    program.type('a\n');
    await local.waitFor(7);
    // Nothing has failed anymore: the last one again.
    await poll(() => program.lines().length === 7, { what: 'a line for each request' });
    program.type('r\n');
    await local.waitFor(8);
    const order = [one, two, three, four, three, one, two, two];
    expect(local.requests.map(submissionIdOf)).toEqual(order);
    await poll(() => program.lines().length === 8, { what: 'a line for each request' });
    expect(program.lines().map(({ status, error, isRetry }) => [status, error, isRetry])).toEqual([
      [500, null, false],
      [null, 'ECONNRESET', false],
      [500, null, false],
      ...Array(1).fill([204, null, false]),
      ...Array(4).fill([204, null, true]),
    ]);
    const [, , failed, , retried] = local.requests;
    for (const name of ['svc-event-id', 'svc-delivery-id', 'webhook-id'])
      expect(retried?.headers[name]).toBe(failed?.headers[name]);
    for (const request of local.requests) expectSigned(request, secretIn(program));
    program.type('q\n');
    expect(await program.exited).toBe(0);
    expect(program.stderr).toContain('5 requests succeeded, 3 failed.');
  });

  it('ends in an orderly way by q where a signal to itself kills the process, as on Windows', async () => {
    const { endpoint, listen, userEnv } = fixture();
    const local = await endpoint();
    const preload = join(tempFolder(), 'windows.cjs');
    writeFileSync(preload, 'process.kill = () => process.reallyExit(1);');
    const program = await listen({ ...userEnv(), NODE_OPTIONS: `--require ${preload}` }, local.url);
    program.type('q\n');
    expect(await program.exited).toBe(0);
    expect(program.stderr).toContain('0 requests succeeded, 0 failed.');
  });

  it('forwards without keys when its input can not be read, as with nohup', async () => {
    const { endpoint, submit, userEnv } = fixture();
    const local = await endpoint();
    const stdin = openSync(devNull, 'w');
    const args = ['listen', '--forward', local.url, '--events', 'form.*'];
    const program = startProgram(args, userEnv(), { stdin });
    closeSync(stdin);
    await program.waitFor('Ready.');
    const id = await submit('in the background');
    await local.waitFor(1);
    expect(local.requests.map(submissionIdOf)).toEqual([id]);
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('continues when nobody reads its output anymore', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint();
    const program = await listen(userEnv(), local.url, ['--events', 'form.*']);
    program.endNotes();
    // Each of these writes a note.
    program.type('r\na\n');
    const id = await submit('unattended');
    await local.waitFor(1);
    await poll(() => program.lines().length === 1, { what: 'the line of the request' });
    expect(local.requests.map(submissionIdOf)).toEqual([id]);
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('waits for the local server with --wait, and loses nothing when it ends meanwhile', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    let isUp = false;
    const local = await endpoint(() => (isUp ? {} : 'reset'));
    const env = userEnv();
    const first = await listen(env, local.url, ['--events', 'form.*', '--wait']);
    const [one, two] = [await submit('1'), await submit('2')];
    await first.waitFor("doesn't respond (ECONNRESET); waiting for it.");
    expect(await first.end('SIGTERM')).toBe(0);
    const tries = local.requests.length;
    const again = await listen(env, local.url, ['--events', 'form.*', '--wait']);
    await again.waitFor('waiting for it.');
    isUp = true;
    await poll(() => again.lines().length === 2, { what: 'both events' });
    const served = local.requests.slice(tries).map(submissionIdOf);
    expect([...new Set(served)]).toEqual([one, two]);
    expect(again.lines().map(({ status }) => status)).toEqual([200, 200]);
    await again.end('SIGTERM');
  });

  it('says when the log no longer has the events, and starts at the oldest ones on request', async () => {
    const { endpoint, listen, submit, userEnv } = fixture();
    const local = await endpoint();
    const id = await submit('early');
    const lost = await listen(userEnv(), local.url, ['--events', 'form.*', '--from', 'abc123-7']);
    await lost.waitFor('Events may be missing: the position was abc123-7');
    await lost.end('SIGTERM');
    const oldest = await listen(userEnv(), local.url, ['--events', 'form.*', '--from', 'oldest']);
    await poll(() => local.requests.some((request) => submissionIdOf(request) === id), { what: 'the event' });
    expect(oldest.stderr).not.toContain('missing');
    await oldest.end('SIGTERM');
  });

  it('works with a key that may only read events, and keeps secret and position to the user', async () => {
    const { endpoint, keyWith, listen, run, submit, userEnv } = fixture();
    const local = await endpoint();
    const env = userEnv(await keyWith(['events:read']));
    const program = await listen(env, local.url);
    expect(program.stderr).toContain('The secret and the position belong to this API key');
    await submit('x');
    const [request] = await local.waitFor(1);
    expect(request && submissionIdOf(request)).toEqual(expect.any(String));
    const files = stateFiles(env['HOME'] ?? '');
    expect(files).toHaveLength(2);
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    await program.end('SIGTERM');
    const printed = await run('listen --print-secret', env);
    expect(printed).toEqual({ code: 0, stdout: `${secretIn(program)}\n`, stderr: '' });

    // With the scope forms:read, they belong to the account and so stay with the next key.
    const first = await listen(
      { ...env, SVC_API_KEY: await keyWith(['events:read', 'forms:read']) },
      local.url,
    );
    await first.end('SIGTERM');
    const next = await listen(
      { ...env, SVC_API_KEY: await keyWith(['events:read', 'forms:read']) },
      local.url,
    );
    await next.end('SIGTERM');
    expect(secretIn(next)).toBe(secretIn(first));
    expect(secretIn(next)).not.toBe(secretIn(program));
    expect(next.stderr).not.toContain('this API key');
  });

  it('misses none of 500 events while it is killed three times and the stack restarts', async () => {
    const { endpoint, listen, product, submit, userEnv } = fixture();
    const local = await endpoint();
    const env = userEnv();
    const start = () => listen(env, local.url, ['--events', 'form.*']);
    let program = await start();
    const secret = secretIn(program);
    const accepted = new Set<string>();
    const sending = (async () => {
      while (accepted.size < 500) {
        const ids = await Promise.allSettled(Array.from({ length: 5 }, () => submit(`${accepted.size}`)));
        for (const each of ids) if (each.status === 'fulfilled') accepted.add(each.value);
      }
    })();
    for (const count of [100, 200, 300]) {
      await local.waitFor(count);
      expect(await program.end('SIGKILL')).toBeNull();
      program = await start();
      expect(secretIn(program)).toBe(secret);
    }
    await local.waitFor(400);
    await product.restart();
    await sending;
    const received = () => new Set(local.requests.map(submissionIdOf));
    const missing = () => [...accepted].filter((id) => !received().has(id));
    await poll(() => missing().length === 0, { what: 'all events', everyMs: 200, timeoutMs: 60_000 });
    for (const request of local.requests) expectSigned(request, secret);
    // Only the event that a kill interrupts is sent twice.
    expect(local.requests.length - received().size).toBeLessThanOrEqual(3);
    expect(await program.end('SIGTERM')).toBe(0);
  }, 180_000);
}

const eventIdOf = (position: string): string => `evt_${position}`;

/**
 * A server whose streams have the events after the position of the request in one chunk, and stay
 * open.
 */
async function startEventServer(positions: readonly string[]) {
  const continuedAfter: unknown[] = [];
  let closed = 0;
  const server = createServer(({ url = '', headers }, response) => {
    if (!url.startsWith('/api/mcp/events/')) {
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"code":"INSUFFICIENT_SCOPE"}');
      return;
    }
    const after = headers['last-event-id'];
    continuedAfter.push(after);
    const frames = positions.slice(positions.indexOf(String(after)) + 1).map((position) => {
      const event = { id: eventIdOf(position), type: 'x', timestamp: '', formId: 'frm_1', body: '{}' };
      return `id: ${position}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`;
    });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(frames.join(''));
    response.on('close', () => (closed += 1));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, continuedAfter, closed: () => closed };
}

/** The files that the program has stored for a user. */
function stateFiles(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file.endsWith('.json') || file.includes('listen-secrets'));
}
