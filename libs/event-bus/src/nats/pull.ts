import { createInbox, nanos, type Msg } from '@nats-io/transport-node';
import { atMost } from '../timing.ts';
import { deliveryOf, type Delivery } from './message.ts';
import type { Link } from './link.ts';
import { STREAM } from './stream.ts';

/**
 * Messages of one consumer of the stream, asked for as there is room for them.
 *
 * The client library's own `consume()` doesn't fit: it takes in as many as the consumer may have unacknowledged,
 * however few of them are handled, and when it stops it drops those on their way, which then come again only after the
 * whole ack wait. Here nothing is asked for beyond `room`, and `close` waits for what was asked for.
 */
export interface Pull {
  /** Call when there is more room: asks for messages, if that is worth a request. */
  refill(): void;
  /** Resolves with the reason when no more will come: the consumer is gone, the server silent, `signal` aborted. */
  ended: Promise<string>;
  /** Asks for no more and resolves when nothing is on its way. */
  close(): Promise<void>;
}

export interface PullOptions {
  consumer: string;
  /** At most this many messages are asked for. */
  capacity: number;
  /** How many messages can be taken in now. */
  room: () => number;
  onDelivery: (delivery: Delivery) => void;
  signal: AbortSignal;
}

const EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** The server is given up after it has missed this many heartbeats. */
const MAX_SILENT_BEATS = 3;
const CLOSE_WITHIN_MS = 5_000;

const IDLE_HEARTBEAT = 100;
const NO_MESSAGES = 404;
const REQUEST_EXPIRED = 408;

export function openPull(link: Link, options: PullOptions): Pull {
  const { nc } = link;
  const { consumer, capacity, room, onDelivery, signal } = options;
  const inbox = createInbox();
  /** Messages that were asked for and are not here yet. */
  let asked = 0;
  let silentBeats = 0;
  let closed = false;
  let end: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => (end = resolve));

  function refill(): void {
    const count = room() - asked;
    // Under load one request for many, not one for each message that was handled.
    if (closed || signal.aborted || count <= 0 || (asked > 0 && count < capacity / 2)) return;
    asked += count;
    nc.publish(
      `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${consumer}`,
      JSON.stringify({ batch: count, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) }),
      { reply: inbox },
    );
  }

  function onNotice({ headers }: Msg): void {
    if (headers?.code === IDLE_HEARTBEAT) return;
    if (headers?.code === REQUEST_EXPIRED || headers?.code === NO_MESSAGES) {
      asked = Math.max(0, asked - Number(headers.get('Nats-Pending-Messages') || 0));
      refill();
    } else {
      end(headers?.description || `status ${headers?.code}`);
    }
  }

  const subscription = nc.subscribe(inbox, {
    callback(error, msg) {
      if (error) return end(error.message);
      silentBeats = 0;
      const delivery = deliveryOf(msg);
      if (!delivery) return onNotice(msg);
      asked = Math.max(0, asked - 1);
      onDelivery(delivery);
    },
  });
  const heartbeat = setInterval(() => {
    silentBeats = asked > 0 ? silentBeats + 1 : 0;
    if (silentBeats > MAX_SILENT_BEATS) end('no heartbeats');
  }, HEARTBEAT_MS);
  const onAbort = () => end('the connection was lost, or the reader stopped');
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  refill();

  return {
    refill,
    ended,
    async close() {
      closed = true;
      end('closed');
      clearInterval(heartbeat);
      signal.removeEventListener('abort', onAbort);
      await atMost(CLOSE_WITHIN_MS, subscription.drain());
    },
  };
}
