import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api/api.ts';
import { ApiError, ConnectionError } from '../api/api-error.ts';
import { readEventStream } from '../api/event-stream.ts';
import type { Screen } from '../screen.ts';
import { createForwarder } from './forwarder.ts';
import type { ForwardedEvent } from './forward.ts';
import type { PositionStore } from './listener-state.ts';
import { createReporter } from './reporter.ts';
import { readKeys } from './keys.ts';
import type { ReadStream } from 'node:tty';

/** No id of an event log, so the server begins with its oldest event. */
const OLDEST = 'oldest';
const RECONNECT_MS = 2_000;

export interface ListenOptions {
  api: Api;
  events: string;
  url: URL;
  secret: string;
  positions: PositionStore;
  /** `now`, `oldest` or a position; absent: the stored one, if there is one. */
  from: string | undefined;
  waits: boolean;
  isJson: boolean;
  screen: Screen;
  stdin: ReadStream;
  /** Ends the program in an orderly way. */
  signal: AbortSignal;
  /** Like Ctrl+C, which ends the program at once when it is pressed again. */
  quit: () => void;
  onConnection: (lost: string | null) => void;
}

/** Forwards events until it is stopped. @throws Failure if the server refuses the stream */
export async function listen(options: ListenOptions): Promise<void> {
  const { api, events, url, secret, positions, waits, isJson, screen, stdin, signal, quit, onConnection } =
    options;
  const { listenerId } = positions;
  const reporter = createReporter(screen, { isJson, listenerId });
  const forwarder = createForwarder({
    target: { url, secret, listenerId },
    reporter,
    waits,
    onWaiting: (error) => screen.note(`${url.href} doesn't respond (${error}); waiting for it.`),
    note: (line) => screen.note(line),
    signal,
  });
  const stopKeys = readKeys(stdin, (key) => {
    if (key === 'q') quit();
    else void (key === 'r' ? forwarder.retryLast() : forwarder.retryFailed());
  });
  const after = startOf(options);
  let isReady = false;
  const ready = () => {
    if (!isReady) introduce(options);
    isReady = true;
    onConnection(null);
  };
  // Without a position, the program could be killed and miss what follows, so it isn't ready yet.
  let hasPosition = after !== undefined;
  try {
    const stream = readEventStream(api, {
      events,
      format: 'webhook',
      after,
      signal,
      onConnection: (lost) => {
        if (lost !== null) onConnection(lost);
        else if (hasPosition) ready();
      },
    });
    for await (const item of stream) {
      const { position } = item;
      if (item.kind === 'event') {
        if (!hasPosition) ready();
        if (item.type === 'stream.reset') noteGap(item.data, screen);
        else await forwarder.forward({ event: JSON.parse(item.data) as ForwardedEvent, position });
        // With --wait, the end of the program can come before a response.
        if (waits && signal.aborted) break;
      }
      // Stored after forwarding, so that an event interrupted by a crash is forwarded again.
      positions.write(position);
      if (!hasPosition && item.kind === 'position') ready();
      hasPosition = true;
    }
  } finally {
    stopKeys();
  }
  screen.note(`${reporter.summary()} The same command continues where this one stopped.`);
}

function introduce({ api, events, url, secret, screen, stdin }: ListenOptions): void {
  screen.note(`Forwarding ${events} from ${api.baseUrl} to ${url.href}`);
  screen.note(`Signing secret: ${secret}`);
  if (stdin.isTTY) screen.note('Keys: r retries the last failed event, a all failed ones, q quits.');
}

function startOf({ from, positions, screen }: ListenOptions): string | undefined {
  if (from === 'now') return undefined;
  if (from !== undefined) return from;
  const stored = positions.read();
  if (stored) screen.note(`Continuing after the last event of ${stored.storedAt}.`);
  return stored?.position;
}

/**
 * Says once that the connection is lost, and once that it is back. Scripts wait for "Ready.", so
 * the first connection is announced with it, even after failed attempts.
 */
export function connectionNotes(screen: Screen, baseUrl: string): (lost: string | null) => void {
  let isReady = false;
  let isLost = false;
  return (lost) => {
    if (lost === null && !isReady) screen.note('Ready.');
    if (lost === null && isReady && isLost) screen.note('Connected.');
    if (lost !== null && !isLost) screen.note(`No connection to ${baseUrl} (${lost}); trying again.`);
    isReady ||= lost === null;
    isLost = lost !== null;
  };
}

interface Reset {
  data: { reason: 'expired' | 'unknown'; requestedId: string; firstAvailableId: string };
}

/** docs/reference/events.md#stream-reset */
function noteGap(text: string, screen: Screen): void {
  const { reason, requestedId, firstAvailableId } = (JSON.parse(text) as Reset).data;
  if (requestedId === OLDEST) return;
  const why =
    reason === 'expired'
      ? 'the log no longer has the events after it'
      : "it isn't a position in this server's log, which may have been replaced or restored";
  screen.note(
    `Events may be missing: the position was ${requestedId}, and ${why}. ` +
      `The log no longer has events before ${firstAvailableId}; continuing with the oldest available event.`,
  );
}

/**
 * Who the events belong to, as part of the names of files. Waits while the server is unavailable.
 */
export async function findAccount(
  api: Api,
  keyName: string,
  { signal, onConnection }: { signal: AbortSignal; onConnection: (lost: string | null) => void },
): Promise<string> {
  while (!signal.aborted) {
    try {
      return (await api.get<{ id: string }>('/api/account', { signal })).id;
    } catch (error) {
      if (signal.aborted) break;
      // A key that may only read events doesn't say whose it is.
      if (error instanceof ApiError && error.status === 403) return keyName;
      const isAway = error instanceof ConnectionError || (error instanceof ApiError && error.status >= 429);
      if (!isAway) throw error;
      onConnection(error instanceof ConnectionError ? error.reason : (error as Error).message);
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }
  return keyName;
}
