import { createInbox, nanos, type Msg } from '@nats-io/transport-node';
import { waitAtMost } from '@svcforms/primitives';
import { deliveryOf, type Delivery } from './message.ts';
import type { Link } from './link.ts';
import { STREAM } from './stream.ts';

/**
 * Messages of one consumer of the stream, requested as there is room for them.
 *
 * The client library's `consume()` doesn't fit. It buffers as many messages as may be
 * unacknowledged, however few are handled, and when it stops it drops messages in transit, which
 * are then delivered again only after the ack wait. A pull requests nothing beyond `room`, and
 * `close` waits for the requested messages.
 */
export interface Pull {
  /** Call when there is more room: requests messages if there is room for enough of them. */
  refill(): void;
  /**
   * Resolves with the reason when the pull ends: the consumer is gone, the server is silent, or
   * `signal` aborts.
   */
  ended: Promise<string>;
  /** Requests no more messages and resolves when none is in transit. */
  close(): Promise<void>;
}

interface PullOptions {
  consumer: string;
  /** The most messages that may be requested at a time. */
  capacity: number;
  /** The most bytes of one request; the largest message must fit. Default: no limit. */
  maxBytes?: number;
  /** The number of messages that the caller can take now. */
  room: () => number;
  onDelivery: (delivery: Delivery) => void;
  signal: AbortSignal;
}

const EXPIRES_MS = 30_000;
/**
 * Short, because nothing else reports that the server of a consumer is down while this process is
 * connected to another.
 */
const HEARTBEAT_MS = 2_000;
/** The pull ends after more missed heartbeats than this. */
const MAX_SILENT_BEATS = 2;
const CLOSE_WITHIN_MS = 5_000;

const IDLE_HEARTBEAT = 100;
const NO_MESSAGES = 404;
const REQUEST_EXPIRED = 408;
/** The description of a notice with the code 409: the next message exceeds `maxBytes`. */
const NO_MORE_BYTES = 'Message Size Exceeds MaxBytes';

export function openPull(link: Link, options: PullOptions): Pull {
  const { nc } = link;
  const { consumer, capacity, maxBytes, room, onDelivery, signal } = options;
  const inbox = createInbox(link.inboxPrefix);
  /** Messages that were requested and haven't arrived. */
  let requested = 0;
  let silentBeats = 0;
  let closed = false;
  let end: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => (end = resolve));

  function refill(): void {
    const count = room() - requested;
    // Under load, one request for many messages instead of one per handled message.
    if (closed || signal.aborted || count <= 0 || (requested > 0 && count < capacity / 2)) return;
    requested += count;
    nc.publish(
      `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${consumer}`,
      JSON.stringify({
        batch: count,
        max_bytes: maxBytes,
        expires: nanos(EXPIRES_MS),
        idle_heartbeat: nanos(HEARTBEAT_MS),
      }),
      { reply: inbox },
    );
  }

  function onNotice({ headers }: Msg): void {
    if (headers?.code === IDLE_HEARTBEAT) return;
    const isOver = headers?.code === REQUEST_EXPIRED || headers?.code === NO_MESSAGES;
    if (headers && (isOver || headers.description === NO_MORE_BYTES)) {
      requested = Math.max(0, requested - Number(headers.get('Nats-Pending-Messages') || 0));
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
      requested = Math.max(0, requested - 1);
      onDelivery(delivery);
    },
  });
  const heartbeat = setInterval(() => {
    silentBeats = requested > 0 ? silentBeats + 1 : 0;
    if (silentBeats > MAX_SILENT_BEATS) end('no heartbeats');
  }, HEARTBEAT_MS);
  const onAbort = () => end('the connection was lost or the reader stopped');
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
      await waitAtMost(subscription.drain(), CLOSE_WITHIN_MS).catch(() => {});
    },
  };
}
