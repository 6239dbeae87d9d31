import { DiscardPolicy, StorageType, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { EventBusError } from '../port/port.ts';
import type { LogBounds } from '../port/position.ts';
import { hedged } from './hedge.ts';
import { hasTooFewServers, isNoRoom, isNotClustered, isStreamNotFound } from './errors.ts';

export const STREAM = 'SVC_EVENTS';

const DEFAULT_MAX_BYTES = 10 * 1024 ** 3;
/** How long the server deduplicates by event id. */
const DUPLICATE_WINDOW_MS = 120_000;

/** The subject of a message with this event, and with another one of that type if it is a pair. */
export function subjectOf(
  { accountId, type, quiet }: { accountId: string; type: string; quiet?: boolean },
  otherType?: string,
): string {
  const ofAccount = `svc.evt.${accountId}${quiet ? '.quiet' : ''}.${type}`;
  return otherType === undefined ? ofAccount : `${ofAccount}.with.${otherType}`;
}

/**
 * The filters of a consumer: for messages with one event, and for pairs. Filters of one consumer
 * must not overlap.
 */
export function filtersOf(only?: readonly string[]): { ofSingles: string[]; ofPairs: string[] } {
  if (only) {
    return {
      ofSingles: only.map((type) => `svc.evt.*.${type}`),
      ofPairs: only.map((type) => `svc.evt.*.${type}.with.>`),
    };
  }
  // Types have two or three parts, so the subject of a pair has at least nine and that of another
  // message at most eight.
  const wildcards = (count: number) => Array.from({ length: count }, () => '*').join('.');
  return {
    ofSingles: [2, 3, 4, 5, 6].map((count) => `svc.evt.${wildcards(count)}`),
    ofPairs: [`svc.evt.${wildcards(6)}.>`],
  };
}

export async function findStream(jsm: JetStreamManager): Promise<StreamInfo | null> {
  try {
    return await hedged(() => jsm.streams.info(STREAM));
  } catch (error) {
    if (isStreamNotFound(error)) return null;
    throw error;
  }
}

/**
 * What the settings say about the stream. `undefined`: the default of a new stream; an existing one
 * keeps its value.
 */
export interface StreamSize {
  /** The maximum size in bytes. Default: 10 GiB. */
  maxBytes?: number | undefined;
  /** The number of servers that store the stream and the state of its consumers. Default: 1. */
  replicas?: number | undefined;
}

/**
 * Succeeds if another process has created the stream meanwhile. @throws EventBusError `FULL`,
 * `UNSUPPORTED`, `UNAVAILABLE`
 */
export async function createStream(
  jsm: JetStreamManager,
  { maxBytes = DEFAULT_MAX_BYTES, replicas = 1 }: StreamSize,
): Promise<StreamInfo> {
  try {
    return await jsm.streams.add({
      name: STREAM,
      subjects: ['svc.evt.*.>'],
      storage: StorageType.File,
      // A full stream refuses messages: dropping the oldest would lose unread ones.
      discard: DiscardPolicy.New,
      max_bytes: maxBytes,
      // Consumers have as many replicas as the stream.
      num_replicas: replicas,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      // `trim` looks up a message by its time.
      allow_direct: true,
    });
  } catch (error) {
    throw refusalOf(error, { maxBytes, replicas });
  }
}

/**
 * Changes the size and the replicas of the stream if they differ from the settings.
 * @throws EventBusError `FULL`, `UNSUPPORTED`, `UNAVAILABLE`
 */
export async function resizeStream(
  jsm: JetStreamManager,
  { config }: StreamInfo,
  { maxBytes = config.max_bytes, replicas = config.num_replicas }: StreamSize,
): Promise<void> {
  if (config.max_bytes === maxBytes && config.num_replicas === replicas) return;
  try {
    await jsm.streams.update(STREAM, { max_bytes: maxBytes, num_replicas: replicas });
  } catch (error) {
    throw refusalOf(error, { maxBytes, replicas });
  }
}

/** Names the setting that the server refused. */
function refusalOf(error: unknown, { maxBytes, replicas }: { maxBytes: number; replicas: number }): unknown {
  if (isNotClustered(error)) {
    const message = `SVC_STREAM_REPLICAS=${replicas} needs a NATS cluster of ${replicas} servers, and this server isn't part of one`;
    return new EventBusError('UNSUPPORTED', message, { cause: error });
  }
  if (hasTooFewServers(error)) {
    const message = `SVC_STREAM_REPLICAS=${replicas} needs ${replicas} NATS servers with JetStream that respond: ${String((error as Error).message)}`;
    return new EventBusError('UNAVAILABLE', message, { cause: error });
  }
  return isNoRoom(error) ? noRoom(maxBytes, error) : error;
}

function noRoom(maxBytes: number, cause: unknown): EventBusError {
  const message =
    `the NATS server has no room for the ${maxBytes} bytes that the stream ${STREAM} reserves: ` +
    `lower SVC_STREAM_MAX_BYTES, or raise max_file_store of the server`;
  return new EventBusError('FULL', message, { cause });
}

/**
 * The server's clock minus the monotonic clock of this process, by the response to a request of
 * that time.
 */
export function clockOffset({ ts }: StreamInfo, sentAt: number): number {
  // The server reads its clock somewhere between the request and the response.
  return (ts ? Date.parse(ts) : Date.now()) - (sentAt + performance.now()) / 2;
}

/** The server's clock now, in milliseconds since the epoch. */
export async function serverTime(jsm: JetStreamManager): Promise<number> {
  const sentAt = performance.now();
  const info = await jsm.streams.info(STREAM);
  return performance.now() + clockOffset(info, sentAt);
}

/**
 * The epoch is the creation time of the stream, which tells positions of a recreated stream from
 * older ones.
 */
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

/**
 * Metadata for erased oldest messages: the log still starts at `from`, although the first remaining
 * message is `to`.
 */
const ERASED_HEAD = 'svc-erased-head';

function erasedHead({ config }: StreamInfo): { from: number; to: number } | null {
  const [from = NaN, to = NaN] = (config.metadata?.[ERASED_HEAD] ?? '').split('-').map(Number);
  return from <= to ? { from, to } : null;
}

/**
 * Runs `erase`, which erases messages from `first` to `last`, and keeps positions valid if the
 * oldest messages are among them. Writes the metadata before, with the furthest that the start can
 * move, and corrects it afterwards.
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
