import { atEnd } from '@svcforms/test-kit';
import { connect, createServer, type AddressInfo } from 'node:net';

/** A command that a driver sent to a MongoDB server. */
export interface SentCommand {
  name: string;
  /** The collection; empty for commands without one. */
  collection: string;
}

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const BSON_STRING = 2;
/** Commands of the driver itself. */
const MAINTENANCE = ['hello', 'ismaster', 'isMaster', 'ping', 'endSessions'];

/** Opens a TCP proxy on loopback to a MongoDB server. It records the commands that pass through it. */
export async function openCountedLink(target: {
  host: string;
  port: number;
}): Promise<{ port: number; commands: readonly SentCommand[] }> {
  const commands: SentCommand[] = [];
  const server = createServer((near) => {
    const far = connect(target);
    let rest = Buffer.alloc(0);
    near.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const length = rest.readInt32LE(0);
        const command = commandIn(rest.subarray(0, length));
        if (command && !MAINTENANCE.includes(command.name)) commands.push(command);
        rest = rest.subarray(length);
      }
    });
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
  return { port: (server.address() as AddressInfo).port, commands };
}

/** The first element of the message's document: the command's name and, usually, its collection. */
function commandIn(message: Buffer): SentCommand | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  // After the header: flags, the kind of the section, and the size of the document.
  const element = message.subarray(HEADER_BYTES + 4 + 1 + 4);
  const nameEnd = element.indexOf(0, 1);
  const name = element.toString('utf8', 1, nameEnd);
  if (element[0] !== BSON_STRING) return { name, collection: '' };
  const value = element.subarray(nameEnd + 1 + 4);
  return { name, collection: value.toString('utf8', 0, value.indexOf(0)) };
}
