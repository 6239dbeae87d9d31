import { pause } from '@svcforms/primitives';
import type { BusLog } from '../port/port.ts';
import { formatPosition } from '../port/position.ts';
import { createSignal } from '../port/signal.ts';
import { ensureDurable } from './durable.ts';
import type { Link } from './link.ts';
import { decodeEvent, type Delivery } from './message.ts';
import { NACK, TERMINATE, type PendingMessage, type PendingMessages } from './pending.ts';
import { openPull, type Pull } from './pull.ts';

const REOPEN_PAUSE_MS = 250;

interface ReceiverOptions {
  durable: string;
  /** The most messages in one batch, and in the queue. */
  batch: number;
  ackWaitMs: number;
  pending: PendingMessages;
  stopping: AbortSignal;
  log: BusLog;
}

/** Receives the messages of one consumer into a queue. */
interface Receiver {
  /**
   * Keeps a pull open until `stopping` aborts, whatever happens to the connection, the stream and
   * the consumer.
   */
  run: () => Promise<void>;
  isEmpty: () => boolean;
  /** Resolves when a message arrives or `stopping` aborts. */
  nextArrival: () => Promise<void>;
  /** Removes the next batch from the queue, and requests more messages. */
  takeBatch: () => PendingMessage[];
  /** Removes all messages from the queue. */
  takeAll: () => PendingMessage[];
}

export function createReceiver(link: Link, options: ReceiverOptions): Receiver {
  const { durable, batch: batchSize, ackWaitMs, pending, stopping, log } = options;
  const arrival = createSignal();
  const queue: PendingMessage[] = [];
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
    if (known?.epoch === epoch) {
      // The ack wait is over, for example after an outage. This process still has the message and
      // doesn't handle it twice.
      known.msg = msg;
      known.message.isNew = false;
      return;
    }
    try {
      const message = { event: decodeEvent(msg), position: formatPosition(epoch, seq), isNew };
      const entry = { message, seq, epoch, msg, receivedAt: performance.now() };
      if (stopping.aborted) return pending.reply(entry, NACK);
      pending.add(entry);
      queue.push(entry);
      arrival.send();
    } catch (error) {
      const fields = { event: 'bus.undecodable', durable, subject: msg.subject, seq, err: error };
      log.error(fields, 'a message of the stream is not an event; it is skipped');
      link.nc.publish(msg.reply ?? '', TERMINATE);
    }
  }

  return {
    async run() {
      for (;;) {
        const session = await link.nextSession(stopping);
        if (!session || stopping.aborted) return;
        try {
          await link.whileUp(() => ensureDurable(link, durable, ackWaitMs));
          // The consumer may be new, or its server may have lost recent acknowledgements.
          newest = (await link.bounds()).last;
          pull = openPull(link, {
            consumer: durable,
            capacity: batchSize,
            room: () => batchSize - queue.length,
            onDelivery: (delivery) => receive(delivery, session.epoch),
            signal: AbortSignal.any([session.lost, stopping]),
          });
          const reason = await pull.ended;
          if (!stopping.aborted)
            log.info({ event: 'bus.reopen', durable, reason }, 'requesting messages again');
        } catch (error) {
          log.warn({ event: 'bus.reopen', durable, err: error }, 'the consumer is not available; retrying');
        }
        await pull?.close();
        // The stream may have been deleted. Reading its bounds recreates it.
        if (!stopping.aborted && !session.lost.aborted) await link.bounds().catch(() => {});
        await pause(REOPEN_PAUSE_MS, stopping);
      }
    },
    isEmpty: () => queue.length === 0,
    nextArrival: () => arrival.next(stopping),
    takeBatch() {
      const batch = queue.splice(0, batchSize);
      pull?.refill();
      return batch;
    },
    takeAll: () => queue.splice(0),
  };
}
