import { poll } from '@svcforms/test-kit';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Service } from './host.ts';
import { route } from '../routes/route.ts';
import { startTestHost } from '../../test/host.ts';

/** A route whose handler ends when the test resolves it. */
function pausedRow() {
  let running = false;
  let resume = () => {};
  const row = route({
    method: 'GET',
    path: '/api/slow',
    summary: 'Slow',
    access: 'public',
    status: 200,
    handler: () =>
      new Promise((resolve) => {
        running = true;
        resume = () => resolve({ data: 'done' });
      }),
  });
  return { row, isRunning: () => running, resume: () => resume() };
}

describe('a host', () => {
  it('starts its services before it listens, and stops them last to first after the requests', async () => {
    const steps: string[] = [];
    const service = (name: string): Service => ({
      routes: [],
      start: async () => void steps.push(`start ${name}`),
      stop: async () => void steps.push(`stop ${name}`),
    });
    const { row, isRunning, resume } = pausedRow();
    const host = await startTestHost({
      services: [{ ...service('a'), routes: [row] }, service('b')],
      limits: { drainWithinMs: 60_000 },
    });
    const running = host.client().get('/api/slow');
    await poll(isRunning);
    const stopped = host.stop();
    await poll(
      () =>
        fetch(host.url).then(
          () => false,
          () => true,
        ),
      { what: 'the closed port' },
    );
    expect(steps).toEqual(['start a', 'start b']);
    resume();
    expect((await running).status).toBe(200);
    await stopped;
    expect(steps).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('stops without waiting for the next request of an open connection', async () => {
    const { row, isRunning, resume } = pausedRow();
    // If the host waited for that request, it would take longer than the test may.
    const host = await startTestHost({ routes: [row], limits: { drainWithinMs: 60_000 } });
    const agent = new Agent({ keepAlive: true });
    const answered = new Promise<string | undefined>((resolve, reject) => {
      const options = { port: host.port, host: '127.0.0.1', path: '/api/slow', agent };
      httpRequest(options, (response) => {
        response.resume().once('end', () => resolve(response.headers.connection));
      })
        .once('error', reject)
        .end();
    });
    await poll(isRunning);
    const stopped = host.stop();
    resume();
    expect(await answered).toBe('close');
    await stopped;
  });

  it('cuts off a request that does not end in time', async () => {
    const { row, isRunning } = pausedRow();
    const host = await startTestHost({ routes: [row], limits: { drainWithinMs: 50 } });
    const cut = host
      .client()
      .get('/api/slow')
      .then(
        () => 'answered',
        () => 'cut',
      );
    await poll(isRunning);
    await host.stop();
    expect(await cut).toBe('cut');
  });

  it('rejects with the reason of the system if the port is taken', async () => {
    const { port } = await startTestHost({});
    await expect(startTestHost({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('a slow client', () => {
  /** What the server says, at the end of a connection on which only this is ever sent. */
  async function lastWords(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (response += chunk));
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve).on('error', () => {}));
    return response;
  }

  const limits = { headersWithinMs: 100, requestWithinMs: 200 };

  it('that never completes the headers of its request is disconnected', async () => {
    const { port } = await startTestHost({ limits });
    expect(await lastWords(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('that never completes the body of its request is disconnected', async () => {
    const statuses: number[] = [];
    const taking = route({
      ...pausedRow().row,
      method: 'POST',
      handler: async () => ({}),
      onResponse: ({ status }) => void statuses.push(status),
    });
    const { port, logged } = await startTestHost({ routes: [taking], limits });
    const words = await lastWords(port, 'POST /api/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx');
    expect(words).toMatch(/^(HTTP\/1\.1 408 .*)?$/s);
    const line = await poll(() => logged().find(({ event }) => event === 'http.request'));
    expect(line).toMatchObject({ status: 408, code: 'INVALID_BODY' });
    expect(statuses).toEqual([408]);
  });

  it.each([
    ['a chunk without its size', 'x\r\n', 400],
    ['endless extensions of a chunk', `1;${'a'.repeat(20_000)}`, 413],
  ])('that sends %s is logged with the status of its response', async (_, body, status) => {
    const taking = route({ ...pausedRow().row, method: 'POST', handler: async () => ({}) });
    const { port, logged } = await startTestHost({ routes: [taking], limits: { requestWithinMs: 60_000 } });
    const head = 'POST /api/slow HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await lastWords(port, head + body)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const line = await poll(() => logged().find(({ event }) => event === 'http.request'));
    expect(line).toMatchObject({ status });
  });
});
