// Listens for webhooks and holds event streams open, and measures both: from `sentAt` in the submitted values to the arrival.
// GET gives {count, latenciesMs} of what arrived under a mark; DELETE closes the streams of a mark.
import { createServer } from 'node:http';

/** Starts on a free port. @returns {Promise<{port: number, close(): Promise<void>}>} */
export async function startSink({ host = '127.0.0.1' } = {}) {
  const arrivals = new Map();
  const streams = new Map();
  let opened = 0;

  function arrivalsOf(path) {
    let found = arrivals.get(path);
    if (!found) arrivals.set(path, (found = { seen: new Set(), latenciesMs: [] }));
    return found;
  }

  function take(path, id, sentAt) {
    const { seen, latenciesMs } = arrivalsOf(path);
    if (seen.has(id)) return;
    seen.add(id);
    latenciesMs.push(Date.now() - Number(sentAt));
  }

  function closeStreams(path) {
    for (const stream of streams.get(path) ?? []) stream.abort();
    streams.delete(path);
  }

  /** Opens `count` streams on `url`; frames are told apart by stream and id. */
  async function openStreams(path, { url, token, count }) {
    const ofPath = streams.get(path) ?? new Set();
    streams.set(path, ofPath);
    await Promise.all(
      Array.from({ length: count }, async () => {
        const closing = new AbortController();
        ofPath.add(closing);
        const number = (opened += 1);
        const answer = await fetch(url, {
          headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
          signal: closing.signal,
        });
        if (!answer.ok || !answer.body) throw new Error(`${url}: ${answer.status}`);
        void readFrames(answer.body, (id, { data }) => {
          const sentAt = data.submission?.sentAt;
          if (sentAt) take(path, `${number} ${id}`, sentAt);
        }).catch(() => {});
      }),
    );
  }

  async function answer(request, response) {
    const path = request.url ?? '/';
    try {
      if (request.method === 'GET') {
        const { seen, latenciesMs } = arrivalsOf(path);
        response.end(JSON.stringify({ count: seen.size, latenciesMs }));
        return;
      }
      if (request.method === 'DELETE') {
        closeStreams(path);
        response.writeHead(204).end();
        return;
      }
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString());
      if (path.startsWith('/streams/')) await openStreams(path, body);
      else take(path, request.headers['svc-event-id'], body.data?.sentAt);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, host, resolve));
  return {
    port: server.address().port,
    async close() {
      for (const path of streams.keys()) closeStreams(path);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readFrames(body, take) {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const text of frames) {
      const id = /^id: (.*)$/m.exec(text)?.[1];
      const data = /^data: (.*)$/m.exec(text)?.[1];
      if (id && data) take(id, JSON.parse(data));
    }
  }
}
