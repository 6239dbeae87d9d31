import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { atEnd } from './at-end.ts';
import { poll } from './poll.ts';

/** A server-sent event as received. */
interface StreamFrame {
  id?: string;
  event: string;
  data: string;
  /** Milliseconds since the epoch, with fractions. */
  receivedAt: number;
}

export interface EventReader {
  status: number;
  headers: IncomingHttpHeaders;
  /** All frames with data so far. */
  frames: readonly StreamFrame[];
  /** The received text, byte for byte. */
  text(): string;
  /** The id to reconnect with: of the last frame, or of a position comment after it. */
  lastEventId(): string | undefined;
  /** Resolves with the frames once there are `count` of them. */
  waitFor(count: number, what?: string): Promise<StreamFrame[]>;
  /** Whether the server or the network has closed the connection. */
  hasEnded(): boolean;
  /** Stops and resumes reading from the connection. */
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * Reads a stream of server-sent events over plain HTTP; resolves when the response headers arrive.
 */
export async function readEvents(
  url: string,
  options: { token?: string; lastEventId?: string | undefined; headers?: Record<string, string> } = {},
): Promise<EventReader> {
  const { token, lastEventId, headers } = options;
  const clientRequest: ClientRequest = request(url, {
    agent: false,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    clientRequest.on('error', reject).on('response', resolve).end();
  });
  const frames: StreamFrame[] = [];
  let all = '';
  let rest = '';
  let id = lastEventId;
  let ended = false;
  clientRequest.on('error', () => (ended = true));
  response.on('error', () => (ended = true)).on('close', () => (ended = true));
  let fields = new Map<string, string>();
  function take(line: string): void {
    if (line !== '') {
      const [, position] = /^: position (.+)$/.exec(line) ?? [];
      if (position !== undefined) id = position;
      else fields.set(line.split(':')[0] ?? '', line.replace(/^[^:]*: ?/, ''));
      return;
    }
    const { id: ownId, event = 'message', data } = Object.fromEntries(fields);
    fields = new Map();
    id = ownId ?? id;
    if (data === undefined) return;
    const receivedAt = performance.timeOrigin + performance.now();
    frames.push({ ...(ownId === undefined ? {} : { id: ownId }), event, data, receivedAt });
  }
  response.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  const close = () => {
    unregister();
    clientRequest.destroy();
  };
  const unregister = atEnd(async () => close());
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    text: () => all,
    lastEventId: () => id,
    waitFor: (count, what = `frame ${count}`) =>
      poll(() => frames.length >= count && [...frames], { what, everyMs: 5 }),
    hasEnded: () => ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close,
  };
}
