import { AckPolicy, DeliverPolicy, type ConsumerInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { EventBusError, type Position } from '../port/port.ts';
import { sequenceOf } from '../port/position.ts';
import type { Link } from './link.ts';
import { filtersIn } from './durable.ts';
import { eventIdsOf, type Delivery } from './message.ts';
import { openPull } from './pull.ts';
import { boundsOf, STREAM } from './stream.ts';

/** The server's clock, which stamps messages, may be this much behind the clock that `since` comes from. */
const CLOCK_SKEW_MS = 60_000;
const READ_AHEAD = 1_000;
/** The log counts as unreadable if no message arrives for this long. */
const MAX_SILENCE_MS = 30_000;
/** How long to wait for a message before asking the server whether any are left. */
const ASK_AFTER_MS = 2_000;

/** See `EventBus.publishedSince`. Reads headers only. */
export async function idsSince(link: Link, accountId: string, since: string): Promise<Set<string>> {
  const ids = new Set<string>();
  await scanAccount(link, accountId, since, ({ msg }) => {
    for (const id of eventIdsOf(msg)) ids.add(id);
  });
  return ids;
}

/** Passes the account's messages since `since` (ISO 8601; default: all) to `onMessage`, in order, without payload. */
export async function scanAccount(
  link: Link,
  accountId: string,
  since: string | undefined,
  onMessage: (delivery: Delivery) => void,
): Promise<void> {
  const { lost } = link.needSession();
  const { name, num_pending: expected } = await link.jsm.consumers.add(STREAM, {
    filter_subject: `svc.evt.${accountId}.>`,
    ...(since === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : {
          deliver_policy: DeliverPolicy.StartTime,
          opt_start_time: new Date(Date.parse(since) - CLOCK_SKEW_MS).toISOString(),
        }),
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

/** Share of the log's size limit that acknowledged messages may use. The rest is for unread ones. */
const HISTORY_SHARE = 0.5;

/** See `EventBus.trim`. Estimates by the average message size how many messages exceed the limit. */
export async function trimStream(
  link: Link,
  { maxAgeMs, maxBytes }: { maxAgeMs: number; maxBytes: number },
): Promise<void> {
  const { jsm } = link;
  const acknowledged = await lowestAckFloor(link);
  const info = await jsm.streams.info(STREAM);
  const { first, last } = boundsOf(info);
  const { messages, bytes, first_seq: oldest } = info.state;
  const limit = info.config.max_bytes;
  const mayKeep = limit > 0 ? Math.min(maxBytes, limit * HISTORY_SHARE) : maxBytes;

  const young = await jsm.direct.getMessage(STREAM, { start_time: new Date(Date.now() - maxAgeMs) });
  const withinAge = young?.seq ?? last + 1;
  const excess = Math.max(0, bytes - mayKeep);
  // From the oldest message that exists. Erased ones between them make the estimate too small, which a later call makes up
  // for.
  const withinSize = excess === 0 ? first : oldest + Math.ceil((excess / bytes) * messages);

  const keepFrom = Math.min(acknowledged + 1, Math.max(withinAge, withinSize));
  if (keepFrom > first) await jsm.streams.purge(STREAM, { seq: keepFrom });
}

/** The sequence up to which every durable consumer has acknowledged everything; 0 without any. */
export async function lowestAckFloor({ jsm }: Link): Promise<number> {
  // Read first: a consumer without unread messages has read all of these.
  const { last } = boundsOf(await jsm.streams.info(STREAM));
  const consumers: ConsumerInfo[] = [];
  for await (const info of jsm.consumers.list(STREAM)) if (info.config.durable_name) consumers.push(info);
  if (consumers.length === 0) return 0;
  return Math.min(...(await Promise.all(consumers.map((info) => ackFloorOf(jsm, info, last)))));
}

/**
 * The sequence up to which a consumer has acknowledged everything. The server counts only its own messages, so the floor of a
 * consumer with a filter stays at its newest message, however long the log grows.
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
