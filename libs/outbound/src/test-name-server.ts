import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import type { AddressInfo } from 'node:net';
import type { Lookup } from './resolve-target.ts';

/** A real name server on loopback (UDP), and a look-up that asks only it. */
export interface NameServer {
  lookup: Lookup;
  /** How many questions came. */
  asked: number;
}

/** Those that a suite started; `afterEach(stopNameServers)` ends them. */
const running: Socket[] = [];

export function stopNameServers(): void {
  for (const socket of running.splice(0)) socket.close();
}

/**
 * @param answers for each name its IPv4 addresses, answer after answer, the last one for good: with `[['1.1.1.1'],
 * ['10.0.0.1']]` a name leads to a public address first and to a private one from the second question on
 */
export async function startNameServer(answers: Record<string, string[][]>): Promise<NameServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  running.push(socket);
  const resolver = new dns.Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  const server: NameServer = {
    asked: 0,
    lookup: (hostname) => resolver.resolve4(hostname),
  };
  socket.on('message', (question, from) => {
    server.asked += 1;
    const queue = answers[nameIn(question)] ?? [[]];
    const addresses = (queue.length > 1 ? queue.shift() : queue[0]) ?? [];
    socket.send(answerTo(question, addresses), from.port, from.address);
  });
  return server;
}

const HEADER_BYTES = 12;

/** The name of a question: labels, each after its length, up to a zero. */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.');
}

/** The question with the answer bit set, and an A record (time to live 0) for each address. */
function answerTo(question: Buffer, addresses: string[]): Buffer {
  const questionEnd = question.indexOf(0, HEADER_BYTES) + 5;
  const head = Buffer.from(question.subarray(0, questionEnd));
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.fill(0, 8, HEADER_BYTES);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
