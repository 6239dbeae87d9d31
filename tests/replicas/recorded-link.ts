import { atEnd } from '@svcforms/test-kit';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Returns the length in bytes of the first message in `buffer`, or null if the message isn't
 * complete.
 */
type MessageLength = (buffer: Buffer) => number | null;

export interface RecordedLinkOptions {
  target: { host: string; port: number };
  messageLength: MessageLength;
  onMessage: (message: Buffer, from: 'client' | 'server') => void;
}

/**
 * Opens a TCP proxy on loopback and calls `onMessage` with each whole message that passes through
 * it. Returns its port.
 */
export async function openRecordedLink({
  target,
  messageLength,
  onMessage,
}: RecordedLinkOptions): Promise<number> {
  const record = (socket: Socket, from: 'client' | 'server') => {
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let length = messageLength(rest); length !== null; length = messageLength(rest)) {
        onMessage(rest.subarray(0, length), from);
        rest = rest.subarray(length);
      }
    });
  };
  const server = createServer((near) => {
    const far = connect(target);
    record(near, 'client');
    record(far, 'server');
    near.pipe(far).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    atEnd(() => void near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}
