import { DiscardPolicy, StorageType, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { EventBusError } from '../port.ts';
import type { LogBounds } from '../position.ts';
import { isNoRoom, isStreamNotFound } from './errors.ts';

export const STREAM = 'SVC_EVENTS';

const DEFAULT_MAX_BYTES = 10 * 1024 ** 3;
/** How long the server recognises an event id that it has stored. */
const DUPLICATE_WINDOW_MS = 120_000;

export function subjectOf(event: { accountId: string; type: string }): string {
  return `svc.evt.${event.accountId}.${event.type}`;
}

export async function findStream(jsm: JetStreamManager): Promise<StreamInfo | null> {
  try {
    return await jsm.streams.info(STREAM);
  } catch (error) {
    if (isStreamNotFound(error)) return null;
    throw error;
  }
}

/** Harmless where another process has made it meanwhile. */
export async function makeStream(jsm: JetStreamManager, maxBytes = DEFAULT_MAX_BYTES): Promise<StreamInfo> {
  try {
    return await jsm.streams.add({
      name: STREAM,
      subjects: ['svc.evt.*.>'],
      storage: StorageType.File,
      // Full means refused: dropping the oldest would drop what nobody has read yet.
      discard: DiscardPolicy.New,
      max_bytes: maxBytes,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      // Lets `trim` look up one message by its time.
      allow_direct: true,
    });
  } catch (error) {
    throw isNoRoom(error) ? noRoom(maxBytes, error) : error;
  }
}

/** Gives the stream its size, where that isn't what the setting says. */
export async function resizeStream(jsm: JetStreamManager, info: StreamInfo, maxBytes: number): Promise<void> {
  if (info.config.max_bytes === maxBytes) return;
  try {
    await jsm.streams.update(STREAM, { max_bytes: maxBytes });
  } catch (error) {
    throw isNoRoom(error) ? noRoom(maxBytes, error) : error;
  }
}

function noRoom(maxBytes: number, cause: unknown): EventBusError {
  const message =
    `the NATS server has no room for the ${maxBytes} bytes that the stream ${STREAM} reserves: ` +
    `lower SVC_STREAM_MAX_BYTES, or raise max_file_store of the server`;
  return new EventBusError('FULL', message, { cause });
}

/** A stream made anew has another time of creation, by which positions of the one before are told apart. */
export function boundsOf(info: StreamInfo): LogBounds {
  const epoch = Date.parse(info.created).toString(36);
  const first = Math.max(1, info.state.first_seq);
  const head = erasedHead(info);
  return {
    epoch,
    first: head && head.from <= first && first <= head.to ? head.from : first,
    last: info.state.last_seq,
  };
}

/** Where the oldest messages were erased: the log still begins at `from`, though the first that is left is `to`. */
const ERASED_HEAD = 'svc-erased-head';

function erasedHead({ config }: StreamInfo): { from: number; to: number } | null {
  const [from = NaN, to = NaN] = (config.metadata?.[ERASED_HEAD] ?? '').split('-').map(Number);
  return from <= to ? { from, to } : null;
}

/**
 * Runs `erase`, which erases messages from `first` to `last`, so that positions stay valid where the oldest ones are among them.
 * The note is made before, with the furthest that the beginning can move, and then corrected.
 */
export async function keepingHead(
  jsm: JetStreamManager,
  { first, last }: { first: number; last: number },
  erase: () => Promise<void>,
): Promise<void> {
  const before = await jsm.streams.info(STREAM);
  if (first > before.state.first_seq) return erase();
  const { first: from } = boundsOf(before);
  await noteHead(jsm, before, { from, to: last + 1 });
  await erase();
  const after = await jsm.streams.info(STREAM);
  await noteHead(jsm, after, { from, to: Math.max(1, after.state.first_seq) });
}

async function noteHead(
  jsm: JetStreamManager,
  { config }: StreamInfo,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await jsm.streams.update(STREAM, { metadata: { ...config.metadata, [ERASED_HEAD]: `${from}-${to}` } });
}
