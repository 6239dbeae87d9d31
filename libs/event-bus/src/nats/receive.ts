import { pause } from '@svcforms/primitives';
import type { BusLog, ConsumeOptions } from '../port/port.ts';
import { eventSequence, formatPosition } from '../port/position.ts';
import type { Readiness } from '../port/readiness.ts';
import type { Signal } from '../port/signal.ts';
import { ensureDurable, type Durable } from './durable.ts';
import type { Link } from './link.ts';
import { decodeEvents, type Delivery } from './message.ts';
import { NACK, TERMINATE, type PendingMessage, type PendingMessages } from './pending.ts';
import { openPull, type Pull } from './pull.ts';

const REOPEN_PAUSE_MS = 250;
/** A queue with this many bytes requests no more messages. Several times the largest message. */
export const MAX_BATCH_BYTES = 8 * 1024 ** 2;

interface ReceiverOptions extends Pick<ConsumeOptions, 'only'> {
  durable: Durable;
  /** The most messages in one batch, and in the queue. */
  batch: number;
  pending: PendingMessages;
  /** Sent when a message arrives. */
  arrival: Signal;
  /** While it's lost, no message is requested. */
  readiness: Pick<Readiness, 'lost' | 'regained'>;
  stopping: AbortSignal;
  log: BusLog;
}

/** Receives the messages of one consumer into a queue. */
export interface Receiver {
  /**
   * Keeps a pull open until `stopping` aborts, whatever happens to the connection, the stream and
   * the consumer.
   */
  run: () => Promise<void>;
  /** When the next message arrived, by `performance.now()`; `Infinity` without one. */
  oldest: () => number;
  /** Removes the next message from the queue. */
  take: () => PendingMessage | undefined;
  /** Requests more messages if there is room for them. */
  refill: () => void;
  /** Removes all messages from the queue. */
  takeAll: () => PendingMessage[];
}

export function createReceiver(link: Link, options: ReceiverOptions): Receiver {
  const { durable, batch: batchSize, pending, arrival, readiness, stopping, only, log } = options;
  const queue: PendingMessage[] = [];
  let queuedBytes = 0;
  /**
   * The newest message that may have been delivered before. All later ones arrive in order, for the
   * first time.
   */
  let newest = 0;
  let pull: Pull | undefined;

  function receive({ msg, seq, deliveries }: Delivery, epoch: string): void {
    const isNew = deliveries === 1 && seq > newest;
    newest = Math.max(newest, seq);
    const known = pending.find(seq);
    const replyTo = msg.reply ?? '';
    if (known?.epoch === epoch) {
      // The ack wait is over, for example after an outage. This process still has the message and
      // doesn't handle it twice.
      known.replyTo = replyTo;
      for (const message of known.messages) message.isNew = false;
      return;
    }
    try {
      const messages = decodeEvents(msg)
        .map((event, nth, { length }) => ({
          event,
          position: formatPosition(epoch, eventSequence(seq, nth, length)),
          isNew,
        }))
        // The other event of a pair.
        .filter(({ event }) => !only || (only.includes(event.type) && !event.quiet));
      const bytes = msg.data.length;
      const entry = { messages, seq, epoch, replyTo, bytes, receivedAt: performance.now() };
      if (stopping.aborted || readiness.lost().aborted) return pending.reply(entry, NACK);
      pending.add(entry);
      queue.push(entry);
      queuedBytes += bytes;
      arrival.send();
    } catch (error) {
      const fields = {
        event: 'bus.undecodable',
        durable: durable.name,
        subject: msg.subject,
        seq,
        err: error,
      };
      log.error(fields, 'a message of the stream is not an event; it is skipped');
      link.nc.publish(replyTo, TERMINATE);
    }
  }

  return {
    async run() {
      for (;;) {
        await readiness.regained();
        const session = await link.nextSession(stopping);
        if (!session || stopping.aborted) return;
        const lost = AbortSignal.any([session.lost, readiness.lost()]);
        try {
          await link.whileUp(() => ensureDurable(link, durable));
          // The consumer may be new, or its server may have lost recent acknowledgements.
          newest = (await link.bounds()).last;
          pull = openPull(link, {
            consumer: durable.name,
            capacity: batchSize,
            maxBytes: MAX_BATCH_BYTES,
            room: () => (queuedBytes < MAX_BATCH_BYTES ? batchSize - queue.length : 0),
            onDelivery: (delivery) => receive(delivery, session.epoch),
            signal: AbortSignal.any([lost, stopping]),
          });
          const reason = await pull.ended;
          if (!stopping.aborted && !readiness.lost().aborted)
            log.info({ event: 'bus.reopen', durable: durable.name, reason }, 'requesting messages again');
        } catch (error) {
          const fields = { event: 'bus.reopen', durable: durable.name, err: error };
          log.warn(fields, 'the consumer is not available; retrying');
        }
        await pull?.close();
        // The stream may have been deleted. Reading its bounds recreates it.
        if (!stopping.aborted && !lost.aborted) await link.bounds().catch(() => {});
        await pause(REOPEN_PAUSE_MS, stopping);
      }
    },
    oldest: () => queue[0]?.receivedAt ?? Infinity,
    take() {
      const entry = queue.shift();
      queuedBytes -= entry?.bytes ?? 0;
      return entry;
    },
    refill: () => pull?.refill(),
    takeAll() {
      queuedBytes = 0;
      return queue.splice(0);
    },
  };
}
