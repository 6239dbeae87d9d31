import { poll } from '@svcforms/test-kit';
import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { startTestHost, type TestHost } from '../../test/host.ts';
import { rawRoute } from '../../test/raw-route.ts';

const MIB = 1024 * 1024;
const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
let host: TestHost;

beforeAll(async () => {
  const raw = rawRoute(async (body) => ({ data: { bytes: body.length, hash: hashOf(body) } }));
  host = await startTestHost({ routes: [raw] });
});

/**
 * Sends all of it before it reads anything, as simple clients do; resolves with what it read to the
 * end.
 */
async function sendThenRead(head: string, bytes: number): Promise<string> {
  const socket = connect(host.port, '127.0.0.1');
  socket.pause();
  socket.write(`POST /api/raw HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n\r\n`);
  await sent(socket, bytes);
  let response = '';
  socket.setEncoding('utf8').on('data', (text: string) => (response += text));
  socket.resume();
  await new Promise((resolve, reject) => socket.once('end', resolve).once('error', reject));
  return response;
}

function sent(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.write(Buffer.alloc(bytes, 'x'), () => resolve());
  });
}

describe('the body of a request', () => {
  it.each([0, 1, 65_536, MIB])('arrives complete: %d bytes', async (bytes) => {
    const { body } = await host.client().post('/api/raw', { rawBody: Buffer.alloc(bytes, 'x'), expect: 202 });
    expect(body.data).toMatchObject({ bytes });
  });

  it('arrives complete and in order in thousands of chunks', async () => {
    const body = randomBytes(5_000);
    const chunks = Array.from(body, (byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
    const socket = connect(host.port, '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    socket.write('POST /api/raw HTTP/1.1\r\nHost: x\r\nConnection: close\r\n');
    socket.end(
      Buffer.concat([Buffer.from('Transfer-Encoding: chunked\r\n\r\n'), ...chunks, Buffer.from('0\r\n\r\n')]),
    );
    await new Promise((resolve, reject) => socket.once('end', resolve).once('error', reject));
    expect(response).toContain(`"hash":"${hashOf(body)}"`);
  });

  it.each([MIB + 1, 2 * MIB, 9_000_000])('that is too large gets 413: %d bytes', async (bytes) => {
    const { status, body } = await host.client().post('/api/raw', { rawBody: Buffer.alloc(bytes, 'x') });
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([MIB + 1, 9_000_000])(
    'that is too large gets 413 also where the client sends all before it reads: %d bytes',
    async (bytes) => {
      const response = await sendThenRead(`Content-Length: ${bytes}`, bytes);
      expect(response).toMatch(/^HTTP\/1\.1 413 /);
      expect(response).toContain('"code":"PAYLOAD_TOO_LARGE"');
    },
  );

  it('that is too large leaves the connection fit for the next request', async () => {
    const socket = connect(host.port, '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    socket.write(`POST /api/raw HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * MIB}\r\n\r\n`);
    await sent(socket, 2 * MIB);
    socket.end('POST /api/raw HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nxx');
    await new Promise((resolve, reject) => socket.once('end', resolve).once('error', reject));
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 202']);
  });

  it('that never ends is cut off', async () => {
    const socket = connect(host.port, '127.0.0.1');
    socket.resume();
    const cut = new Promise((resolve) => socket.once('close', resolve).on('error', () => {}));
    socket.write('POST /api/raw HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, 'x'), Buffer.from('\r\n')]);
    const go = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', go);
    go();
    await cut;
    expect(socket.bytesWritten).toBeLessThan(64 * MIB);
  });

  it('that breaks off is a failure of the client, not of ours', async () => {
    const socket = connect(host.port, '127.0.0.1');
    socket.write('POST /api/raw HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nxx');
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    const line = await poll(() => host.logged().find(({ code }) => code === 'INVALID_BODY'));
    expect(line).toMatchObject({ event: 'http.request', status: 400, level: 'info' });
  });
});
