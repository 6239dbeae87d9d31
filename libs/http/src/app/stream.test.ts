import { StoreError } from '@svcforms/document-store';
import { poll } from '@svcforms/test-kit';
import { Readable } from 'node:stream';
import { route } from '../routes/route.ts';
import { startTestHost, type TestHost } from '../../test/host.ts';

const state = { sent: 0, ended: false };

async function* endless() {
  state.ended = false;
  try {
    for (;;) {
      state.sent += 1;
      yield 'x'.repeat(64 * 1024);
    }
  } finally {
    state.ended = true;
  }
}
async function* three() {
  yield 'a,b\n';
  yield Buffer.from('1,2\n');
  yield '3,4\n';
}
async function* broken() {
  yield 'a,b\n';
  throw new StoreError('UNAVAILABLE', 'the store is unavailable');
}
const row = { method: 'GET', summary: 'A stream', access: 'public', status: 200 } as const;

const routes = [
  route({
    ...row,
    path: '/api/three',
    handler: async () => ({
      content: { type: 'text/csv', body: Readable.from(three(), { objectMode: false }) },
    }),
  }),
  route({
    ...row,
    path: '/api/endless',
    handler: async () => ({
      content: { type: 'text/plain', body: Readable.from(endless(), { objectMode: false }) },
    }),
  }),
  route({
    ...row,
    path: '/api/broken',
    handler: async () => ({
      content: { type: 'text/csv', body: Readable.from(broken(), { objectMode: false }) },
    }),
  }),
];

const failures = (host: TestHost) => host.logged().filter(({ event }) => event === 'http.connection_failed');

describe('a streamed response', () => {
  it('arrives unchanged, with its content type', async () => {
    const host = await startTestHost({ routes });
    const response = await host.client().get('/api/three');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.text).toBe('a,b\n1,2\n3,4\n');
  });

  it('waits for a slow client, and ends when the client disconnects', async () => {
    const host = await startTestHost({ routes });
    const controller = new AbortController();
    const response = await fetch(`${host.url}/api/endless`, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    let last = 0;
    const before = await poll(
      () => {
        const isWaiting = last === state.sent;
        last = state.sent;
        return isWaiting && last;
      },
      { what: 'the stream to wait' },
    );
    expect(before).toBeLessThan(1000);
    controller.abort();
    await poll(async () => state.ended, { what: 'the end of the stream' });
    const [logged] = await poll(() => failures(host).length > 0 && failures(host), { what: 'its log line' });
    expect(logged).toMatchObject({ level: 'debug' });
  });

  it('is logged as an error if the store fails midway', async () => {
    const host = await startTestHost({ routes });
    await expect(fetch(`${host.url}/api/broken`).then((response) => response.text())).rejects.toThrow();
    expect(await poll(() => failures(host).length > 0 && failures(host))).toMatchObject([
      { level: 'error', err: { code: 'UNAVAILABLE' } },
    ]);
  });
});
