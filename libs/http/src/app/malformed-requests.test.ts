import { atEnd, poll } from '@svcforms/test-kit';
import { connect, type Socket } from 'node:net';
import { createHttpServer } from './server.ts';

async function serve(limits: { requestWithinMs?: number } = {}): Promise<() => Promise<Socket>> {
  const server = createHttpServer((_, response) => response.end('hello'), limits);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  atEnd(() => server.close());
  return async () => {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    atEnd(() => socket.destroy());
    return socket;
  };
}

/** Reads until the peer closes the connection. Rejects if it is reset. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  await new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
  return text;
}

describe('a malformed request', () => {
  it.each([
    ['has a path without end', `GET /${'a'.repeat(1_000_000)}`, 431],
    ['has a header without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(1_000_000)}`, 431],
    ['is no HTTP', `${'hello '.repeat(100_000)}\r\n\r\n`, 400],
  ])('gets a response where it %s, though the client is still sending', async (_, text, status) => {
    const socket = await (await serve())();
    const response = readAll(socket);
    socket.write(text);
    socket.write(text);
    expect((await response).split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('gets one response, after those of earlier requests', async () => {
    const socket = await (await serve())();
    const response = readAll(socket);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    await poll(() => text.endsWith('hello'), { what: 'the first response' });
    socket.write('nonsense\r\n\r\nnonsense\r\n\r\n');
    expect([...(await response).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '400',
    ]);
  });
});
