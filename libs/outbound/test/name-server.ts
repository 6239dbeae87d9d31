import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { isIPv6, type AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Lookup } from '../src/resolve-target.ts';

/** A name server on loopback (UDP), and a lookup that queries only it. */
interface NameServer {
  /** `127.0.0.1:port` */
  address: string;
  /** Queries IPv4 addresses only. */
  lookup: Lookup;
  /** The number of queries. */
  queries: number;
  /** The queried names, in the order of their first query. */
  names: Set<string>;
}

type Responses = string[][] | 'silent' | { onlyA: string };

/** The name servers of a suite. `afterEach(stopNameServers)` stops them. */
const running: Socket[] = [];

export function stopNameServers(): void {
  for (const socket of running.splice(0)) socket.close();
}

/**
 * @param responses for each name, the addresses of each response; the last response repeats. With
 * `[['1.1.1.1'], ['10.0.0.1']]`, a name has a public address in the first response and a private
 * one from the second on. `silent`: no response; `onlyA`: no response to IPv6 queries. Other names
 * don't exist.
 */
export async function startNameServer(responses: Record<string, Responses>): Promise<NameServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  running.push(socket);
  const address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
  const resolver = new dns.Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([address]);
  const server: NameServer = {
    address,
    queries: 0,
    names: new Set(),
    lookup: (hostname) => resolver.resolve4(hostname),
  };
  socket.on('message', (question, from) => {
    const name = nameIn(question);
    server.queries += 1;
    server.names.add(name);
    const queue = responses[name] ?? [[]];
    if (queue === 'silent' || ('onlyA' in queue && typeOf(question) !== TYPE_A)) return;
    const addresses = ('onlyA' in queue ? [queue.onlyA] : queue.length > 1 ? queue.shift() : queue[0]) ?? [];
    socket.send(responseTo(question, addresses), from.port, from.address);
  });
  return server;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;

/** Reads the name in a query: labels, each after its length, up to a zero. */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.').toLowerCase();
}

function typeOf(question: Buffer): number {
  return question.readUInt16BE(endOf(question) - 4);
}

function endOf(question: Buffer): number {
  return question.indexOf(0, HEADER_BYTES) + 5;
}

/**
 * Returns the query with the response bit set and a record (TTL 0) for each address of the queried
 * type.
 */
function responseTo(question: Buffer, addresses: string[]): Buffer {
  const questionEnd = endOf(question);
  const type = typeOf(question);
  const fitting = addresses.filter((address) => (isIPv6(address) ? TYPE_AAAA : TYPE_A) === type);
  const head = Buffer.from(question.subarray(0, questionEnd));
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(fitting.length, 6);
  head.fill(0, 8, HEADER_BYTES);
  const records = fitting.map((address) => {
    const bytes = ipaddr.parse(address).toByteArray();
    return Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([head, ...records]);
}
