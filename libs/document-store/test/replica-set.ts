import { atEnd } from '@svcforms/test-kit';
import { BSON } from 'mongodb';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

interface Member {
  host: string;
  /**
   * The commands that it has received, in order, except those of the handshake and the monitoring.
   */
  commands: BSON.Document[];
}

const HANDSHAKES = ['hello', 'ismaster', 'isMaster'];
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** The first command in these bytes and its length, or nothing while it is incomplete. */
function readCommand(bytes: Buffer) {
  const length = bytes.length < 16 ? Infinity : bytes.readInt32LE(0);
  if (bytes.length < length) return undefined;
  const opCode = bytes.readInt32LE(12);
  // OP_QUERY: flags, the name of the collection, skip, limit. OP_MSG: flags, the kind of the
  // section.
  const at = opCode === OP_QUERY ? bytes.indexOf(0, 20) + 9 : 21;
  const command = BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)));
  return { length, id: bytes.readInt32LE(4), opCode, command };
}

function writeReply(to: { id: number; opCode: number }, reply: BSON.Document): Buffer {
  const isQuery = to.opCode === OP_QUERY;
  const head = Buffer.alloc(isQuery ? 36 : 21);
  const document = BSON.serialize(reply);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(to.id, 8);
  head.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  if (isQuery) head.writeInt32LE(1, 32);
  return Buffer.concat([head, document]);
}

/**
 * Starts a replica set with a primary and a secondary, which record commands and store nothing.
 * @param before what they wait for before they respond to a command
 */
export async function startReplicaSet(before: (command: string) => Promise<void> = async () => {}) {
  const sockets = new Set<Socket>();
  const servers = [createServer(), createServer()];
  const members: Member[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    members.push({ host: `127.0.0.1:${(server.address() as AddressInfo).port}`, commands: [] });
  }
  const hosts = members.map(({ host }) => host);

  async function replyOf({ host, commands }: Member, command: BSON.Document): Promise<BSON.Document> {
    const [name = ''] = Object.keys(command);
    const isPrimary = host === hosts[0];
    if (HANDSHAKES.includes(name)) {
      const [primary] = hosts;
      const limits = {
        minWireVersion: 0,
        maxWireVersion: 21,
        maxWriteBatchSize: 1000,
        logicalSessionTimeoutMinutes: 30,
      };
      const state = {
        isWritablePrimary: isPrimary,
        secondary: !isPrimary,
        setName: 'rs',
        hosts,
        me: host,
        primary,
      };
      const lastWrite = { lastWriteDate: new Date(), opTime: { ts: new BSON.Timestamp(1n), t: 1n } };
      return { ok: 1, helloOk: true, ...state, ...limits, lastWrite };
    }
    commands.push(command);
    await before(name);
    return { ok: 1, n: 1, cursor: { id: 0n, ns: 'forms.entries', firstBatch: [] } };
  }

  servers.forEach((server, nth) =>
    server.on('connection', (socket) => {
      sockets.add(socket.on('error', () => {}));
      let bytes = Buffer.alloc(0);
      socket.on('data', (more) => {
        bytes = Buffer.concat([bytes, more]);
        for (let read = readCommand(bytes); read; read = readCommand(bytes)) {
          bytes = bytes.subarray(read.length);
          const to = read;
          void replyOf(members[nth]!, to.command).then((reply) => socket.write(writeReply(to, reply)));
        }
      });
    }),
  );
  atEnd(() => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  });
  const [primary, secondary] = members as [Member, Member];
  return { hosts, primary, secondary };
}
