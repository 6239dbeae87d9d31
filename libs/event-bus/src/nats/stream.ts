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
  return { epoch, first: Math.max(1, info.state.first_seq), last: info.state.last_seq };
}
