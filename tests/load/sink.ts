// The sink of the load scripts: it receives webhooks and holds event streams open, and measures
// both from `sentAt` in the submitted values to the arrival. GET returns {count, latenciesMs} of
// what arrived at a path; DELETE closes the streams of a path.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Sink {
  port: number;
  close(): Promise<void>;
}

interface Arrivals {
  seen: Set<string>;
  latenciesMs: number[];
}

interface StreamRequest {
  url: string;
  token: string;
  count: number;
}

/** Listens on a free port. */
export async function startSink({ host = '127.0.0.1' }: { host?: string } = {}): Promise<Sink> {
  const arrivals = new Map<string, Arrivals>();
  const streams = new Map<string, Set<AbortController>>();
  let opened = 0;

  function arrivalsOf(path: string): Arrivals {
    const found = arrivals.get(path) ?? { seen: new Set(), latenciesMs: [] };
    arrivals.set(path, found);
    return found;
  }

  function record(path: string, id: string, sentAt: unknown): void {
    const { seen, latenciesMs } = arrivalsOf(path);
    if (seen.has(id)) return;
    seen.add(id);
    latenciesMs.push(Date.now() - Number(sentAt));
  }

  function closeStreams(path: string): void {
    for (const stream of streams.get(path) ?? []) stream.abort();
    streams.delete(path);
  }

  /** Opens `count` streams on `url`; each frame counts once per stream. */
  async function openStreams(path: string, { url, token, count }: StreamRequest): Promise<void> {
    const open = streams.get(path) ?? new Set();
    streams.set(path, open);
    await Promise.all(
      Array.from({ length: count }, async () => {
        const closing = new AbortController();
        open.add(closing);
        const number = (opened += 1);
        const response = await fetch(url, {
          headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
          signal: closing.signal,
        });
        if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
        // The stream ends when the sink or the product closes it.
        readFrames(response.body, (id, sentAt) => record(path, `${number} ${id}`, sentAt)).catch(() => {});
      }),
    );
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    if (request.method === 'GET') {
      const { seen, latenciesMs } = arrivalsOf(path);
      response.end(JSON.stringify({ count: seen.size, latenciesMs }));
      return;
    }
    if (request.method === 'DELETE') {
      closeStreams(path);
    } else if (path.startsWith('/streams/')) {
      await openStreams(path, (await json(request)) as StreamRequest);
    } else {
      const { data } = (await json(request)) as { data?: { sentAt?: string } };
      record(path, String(request.headers['svc-event-id']), data?.sentAt);
    }
    response.writeHead(204).end();
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const path of streams.keys()) closeStreams(path);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readFrames(
  body: ReadableStream<Uint8Array>,
  onFrame: (id: string, sentAt: string) => void,
): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const id = /^id: (.*)$/m.exec(frame)?.[1];
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (!id || !data) continue;
      const { submission } = (JSON.parse(data) as { data: { submission?: { sentAt?: string } } }).data;
      if (submission?.sentAt) onFrame(id, submission.sentAt);
    }
  }
}
