import { AckPolicy, DeliverPolicy, type ConsumerInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { HOUR_MS, isoTime } from '@svcforms/primitives';
import { DURABLES } from '../port/durables.ts';
import { EventBusError, type BusLog, type Position } from '../port/port.ts';
import { sequenceOf } from '../port/position.ts';
import type { Link } from './link.ts';
import { filtersIn } from './durable.ts';
import { eventIdsOf, type Delivery } from './message.ts';
import { pairsNameOf } from './pairs.ts';
import { openPull } from './pull.ts';
import { boundsOf, STREAM } from './stream.ts';

/**
 * The server's clock, which stamps messages, may be this much behind the clock that the `since` of
 * `publishedSince` comes from. A missed id costs a second publication.
 */
const CLOCK_SKEW_MS = 60_000;
const READ_AHEAD = 1_000;
/** The log counts as unreadable if no message arrives for this long. */
const MAX_SILENCE_MS = 30_000;
/** How long to wait for a message before asking the server whether any are left. */
const ASK_AFTER_MS = 2_000;

/** See `EventBus.publishedSince`. Reads headers only. */
export async function idsSince(link: Link, accountId: string, since: string): Promise<Set<string>> {
  const ids = new Set<string>();
  await scanAccount(link, accountId, Date.parse(since) - CLOCK_SKEW_MS, ({ msg }) => {
    for (const id of eventIdsOf(msg)) ids.add(id);
  });
  return ids;
}

/**
 * Passes the account's messages since `since` (by the server's clock; default: all) to `onMessage`,
 * in order, without payload.
 */
export async function scanAccount(
  link: Link,
  accountId: string,
  since: number | undefined,
  onMessage: (delivery: Delivery) => void,
): Promise<void> {
  const { lost } = link.needSession();
  const { name, num_pending: expected } = await link.jsm.consumers.add(STREAM, {
    filter_subject: `svc.evt.${accountId}.>`,
    ...(since === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: isoTime(since) }),
    headers_only: true,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(MAX_SILENCE_MS),
    mem_storage: true,
  });
  if (expected > 0) await readAll();
  void link.jsm.consumers.delete(STREAM, name).catch(() => {});

  /** Messages that are trimmed or erased meanwhile never arrive. */
  async function readAll(): Promise<void> {
    let read = 0;
    let lastAt = performance.now();
    let isRead = false;
    const silence = new AbortController();
    const pull = openPull(link, {
      consumer: name,
      capacity: READ_AHEAD,
      room: () => Math.min(READ_AHEAD, expected - read),
      onDelivery(delivery) {
        onMessage(delivery);
        read += 1;
        lastAt = performance.now();
        if (read >= expected || delivery.pending === 0) finish();
        else pull.refill();
      },
      signal: AbortSignal.any([lost, silence.signal]),
    });
    const asking = setInterval(() => void askIfSilent().catch(() => {}), ASK_AFTER_MS);

    function finish(): void {
      isRead = true;
      void pull.close();
    }

    async function askIfSilent(): Promise<void> {
      const silentMs = performance.now() - lastAt;
      if (silentMs >= MAX_SILENCE_MS) silence.abort();
      if (silentMs < ASK_AFTER_MS) return;
      // Every user of NATS may list consumers, and few may look up one.
      for await (const info of link.jsm.consumers.list(STREAM)) {
        const isLeft = info.name !== name || info.num_pending > 0;
        if (!isLeft && performance.now() - lastAt >= ASK_AFTER_MS) finish();
      }
    }

    const reason = await pull.ended;
    clearInterval(asking);
    if (!isRead) throw new EventBusError('UNAVAILABLE', `can't read the log: ${reason}`);
  }
}

/** See `EventBus.hasEventAfter`. */
export async function hasEventAfter({ jsm }: Link, position: Position): Promise<boolean> {
  const seq = Math.floor(sequenceOf(position)) + 1;
  return (await jsm.direct.getMessage(STREAM, { seq, next_by_subj: 'svc.evt.>' })) !== null;
}

/**
 * Share of the log's size limit that acknowledged messages may use. The rest is for unread ones.
 */
const HISTORY_SHARE = 0.5;

const OWN_CONSUMERS: readonly string[] = Object.values(DURABLES).flatMap((name) => [name, pairsNameOf(name)]);
/** How often a consumer is in the log that isn't the product's and keeps messages in the stream. */
const WARN_EVERY_MS = HOUR_MS;

interface TrimLimits {
  maxAgeMs: number;
  maxBytes: number;
}

/** See `EventBus.trim`. */
export function createTrim(link: Link, log: Pick<BusLog, 'warn'>): (limits: TrimLimits) => Promise<void> {
  const warnedAt = new Map<string, number>();

  function warn(consumer: string): void {
    const at = performance.now();
    if (at - (warnedAt.get(consumer) ?? -Infinity) < WARN_EVERY_MS) return;
    warnedAt.set(consumer, at);
    log.warn(
      { event: 'bus.held_back', consumer },
      `the NATS consumer ${consumer} isn't the product's, and its unread events stay in the log until it is full; delete the consumer`,
    );
  }

  return async (limits) => {
    for (const consumer of await trimStream(link, limits)) warn(consumer);
  };
}

/**
 * Estimates by the average message size how many messages exceed the limit. Returns the consumers
 * that aren't the product's and without which more messages could be dropped.
 */
async function trimStream(link: Link, { maxAgeMs, maxBytes }: TrimLimits): Promise<string[]> {
  const { jsm } = link;
  const floors = await ackFloors(link);
  const info = await jsm.streams.info(STREAM);
  const { first, last } = boundsOf(info);
  const { messages, bytes, first_seq: oldest } = info.state;
  const limit = info.config.max_bytes;
  const mayKeep = limit > 0 ? Math.min(maxBytes, limit * HISTORY_SHARE) : maxBytes;

  const young = await jsm.direct.getMessage(STREAM, { start_time: new Date(Date.now() - maxAgeMs) });
  const withinAge = young?.seq ?? last + 1;
  const excess = Math.max(0, bytes - mayKeep);
  // From the oldest message that exists. Erased ones between them make the estimate too small,
  // which a later call makes up for.
  const withinSize = excess === 0 ? first : oldest + Math.ceil((excess / bytes) * messages);

  const withinLimits = Math.max(withinAge, withinSize);
  const keepFrom = Math.min(lowestOf(floors) + 1, withinLimits);
  if (keepFrom > first) await jsm.streams.purge(STREAM, { seq: keepFrom });

  const isOwn = ({ name }: AckFloor) => OWN_CONSUMERS.includes(name);
  const couldKeepFrom = Math.min(lowestOf(floors.filter(isOwn)) + 1, withinLimits);
  const foreign = floors.filter((floor) => !isOwn(floor) && floor.seq + 1 < couldKeepFrom);
  return foreign.map(({ name }) => name);
}

/** The sequence up to which every durable consumer has acknowledged everything; 0 without any. */
export async function lowestAckFloor(link: Link): Promise<number> {
  return lowestOf(await ackFloors(link));
}

interface AckFloor {
  name: string;
  /** The sequence up to which the consumer has acknowledged everything. */
  seq: number;
}

const lowestOf = (floors: readonly AckFloor[]): number =>
  floors.length === 0 ? 0 : Math.min(...floors.map(({ seq }) => seq));

/** Of all durable consumers. */
async function ackFloors({ jsm }: Link): Promise<AckFloor[]> {
  // Read first: a consumer without unread messages has read all of these.
  const { last } = boundsOf(await jsm.streams.info(STREAM));
  const consumers: ConsumerInfo[] = [];
  for await (const info of jsm.consumers.list(STREAM)) if (info.config.durable_name) consumers.push(info);
  return Promise.all(
    consumers.map(async (info) => ({ name: info.name, seq: await ackFloorOf(jsm, info, last) })),
  );
}

/**
 * The sequence up to which a consumer has acknowledged everything. The server counts only its own
 * messages, so the floor of a consumer with a filter stays at its newest message, however long the
 * log grows.
 */
async function ackFloorOf(
  jsm: Link['jsm'],
  { config, ack_floor, num_pending, num_ack_pending }: ConsumerInfo,
  last: number,
): Promise<number> {
  const filters = filtersIn(config);
  if (filters.length === 0) return ack_floor.stream_seq;
  if (num_pending + num_ack_pending === 0) return last;
  const unread = await Promise.all(
    filters.map((filter) =>
      jsm.direct.getMessage(STREAM, { seq: ack_floor.stream_seq + 1, next_by_subj: filter }),
    ),
  );
  return Math.min(last, ...unread.flatMap((message) => (message ? [message.seq - 1] : [])));
}
