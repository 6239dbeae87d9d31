// The webhook endpoint of npm run bench. Paths below /hang never get a response, all others get 200
// at once.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { now, type SinkCommand, type SinkCount, type SinkResult } from './messages.ts';

/** Every envelope has it somewhere, possibly escaped as a JSON string in JSON. */
const EVENT = /bench_id\W+([\w-]+)\W+sentAt\W+([\d.]+)/;

const seen = new Set<string>();
let result = emptyResult();

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
});
server.on('connection', () => (result.connections += 1));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (command: SinkCommand) => {
  if (command === 'reset') {
    seen.clear();
    result = emptyResult();
  }
  const response: SinkCount = command === 'read' ? result : { count: result.count };
  process.send?.(response);
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  const body = await text(request);
  const receivedAt = now();
  if (path.startsWith('/hang')) {
    result.hanging += 1;
    return;
  }
  response.end();
  const [, id, sentAt] = EVENT.exec(body) ?? [];
  if (id === undefined) return;
  if (seen.has(id)) {
    result.duplicates += 1;
    return;
  }
  seen.add(id);
  result.count += 1;
  result.lastAt = receivedAt;
  (result.latenciesMs[path] ??= []).push(receivedAt - Number(sentAt));
}

function emptyResult(): SinkResult {
  return { count: 0, duplicates: 0, hanging: 0, lastAt: 0, connections: 0, latenciesMs: {} };
}
