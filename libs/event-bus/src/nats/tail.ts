import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { pause } from '@svcforms/primitives';
import type { BusLog, BusMessage, Position } from '../port/port.ts';
import { eventSequence, formatPosition, readPosition, sequenceAfter } from '../port/position.ts';
import { createSignal } from '../port/signal.ts';
import type { Link } from './link.ts';
import { decodeEvents, type Delivery } from './message.ts';
import { openPull } from './pull.ts';
import type { Session } from './session.ts';
import { STREAM } from './stream.ts';

/** The most messages that are buffered for a slow reader. */
const BUFFER = 256;
/**
 * The server removes a reader that requested nothing for this long. The tail then creates another.
 */
const FORGET_READER_AFTER_MS = 60_000;
const REOPEN_PAUSE_MS = 250;

interface TailOptions {
  after?: Position;
  signal: AbortSignal;
}

/** The log in order, as `EventBus.tail` specifies it. */
export async function* tailStream(
  link: Link,
  { after, signal }: TailOptions,
  log: BusLog,
): AsyncGenerator<BusMessage> {
  const start = await link.bounds();
  const { epoch } = start;
  let next = after === undefined ? start.last + 1 : sequenceAfter(after, start);
  /** Earlier events, including the first one of a message, were read. */
  let read = (after === undefined ? null : readPosition(after)?.seq) ?? next - 1;

  /** Whether the next message is still available; `false` if the bus doesn't respond. */
  async function continues(): Promise<boolean> {
    const bounds = await link.bounds().catch(() => null);
    return bounds !== null && sequenceAfter(formatPosition(epoch, next - 1), bounds) === next;
  }

  for (;;) {
    const session = await link.nextSession(signal);
    if (!session || signal.aborted) return;
    const reader = (await continues())
      ? await link.whileUp(() => addReader(link, next)).catch(() => null)
      : null;
    if (reader !== null) {
      for await (const { msg, seq } of readAll(link, { reader, session, signal })) {
        // Messages are missing: they were trimmed before this tail read them, or removed by hand.
        if (seq > next && !(await continues())) break;
        next = seq + 1;
        const events = decodeOrLog(msg, seq, log);
        for (const [nth, event] of events.entries()) {
          const at = eventSequence(seq, nth, events.length);
          if (at <= read) continue;
          read = at;
          yield { event, position: formatPosition(epoch, at) };
          if (signal.aborted) return;
        }
      }
    }
    await pause(REOPEN_PAUSE_MS, signal);
  }
}

function decodeOrLog(msg: Delivery['msg'], seq: number, log: BusLog) {
  try {
    return decodeEvents(msg);
  } catch (error) {
    const fields = { event: 'bus.undecodable', subject: msg.subject, seq, err: error };
    log.error(fields, 'a message of the stream is not an event; it is skipped');
    return [];
  }
}

/** Creates a consumer for one reader that starts at that sequence, and returns its name. */
async function addReader({ jsm }: Link, firstSeq: number): Promise<string> {
  const { name } = await jsm.consumers.add(STREAM, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: firstSeq,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(FORGET_READER_AFTER_MS),
    mem_storage: true,
  });
  return name;
}

/** The messages of the reader without a gap. Ends at the first fault. */
async function* readAll(
  link: Link,
  { reader, session, signal }: { reader: string; session: Session; signal: AbortSignal },
): AsyncGenerator<Delivery> {
  const over = AbortSignal.any([session.lost, signal]);
  const change = createSignal();
  const arrived: Delivery[] = [];
  let ended = false;
  const pull = openPull(link, {
    consumer: reader,
    capacity: BUFFER,
    room: () => BUFFER - arrived.length,
    onDelivery(delivery) {
      arrived.push(delivery);
      change.send();
    },
    signal: over,
  });
  void pull.ended.then(() => {
    ended = true;
    change.send();
  });
  try {
    for (let expected = 1; ; expected += 1) {
      while (arrived.length === 0 && !ended) await change.next(over);
      const delivery = arrived.shift();
      // The delivery sequence shows a message that was lost in transit.
      if (delivery?.deliverySeq !== expected) return;
      pull.refill();
      yield delivery;
    }
  } finally {
    await pull.close();
    if (!session.lost.aborted) void link.jsm.consumers.delete(STREAM, reader).catch(() => {});
  }
}
