import { nanos, type Msg } from '@nats-io/transport-node';
import { pause, waitAtMost } from '@svcforms/primitives';
import type { BusLog, ConsumeOptions, Consumption, DeferredAck, DeliveredMessage } from '../port/port.ts';
import { formatPosition } from '../port/position.ts';
import { createSignal } from '../port/signal.ts';
import { createUnackedBatches, RETRY_PAUSE_MS } from '../port/unacked.ts';
import { ensureDurable } from './durable.ts';
import { busErrorFrom } from './errors.ts';
import type { Link } from './link.ts';
import { decodeEvent, type Delivery } from './message.ts';
import { openPull, type Pull } from './pull.ts';

const REOPEN_PAUSE_MS = 250;
const FLUSH_WITHIN_MS = 2_000;

/** The replies to a message that JetStream defines. */
const ACK = '+ACK';
const IN_PROGRESS = '+WPI';
const TERMINATE = '+TERM';
const NACK = '-NAK';
const NACK_WITH_DELAY = `-NAK ${JSON.stringify({ delay: nanos(RETRY_PAUSE_MS) })}`;

/** A message that was delivered to this process and has no final reply. */
interface PendingMessage {
  message: DeliveredMessage;
  seq: number;
  epoch: string;
  /** The newest delivery, to which the reply goes. */
  msg: Msg;
  /** By `performance.now()`. */
  receivedAt: number;
}

export interface ConsumerOptions extends ConsumeOptions {
  durable: string;
  handler: (batch: DeliveredMessage[]) => Promise<DeferredAck | void>;
}

/** One consumer of a durable name, as `EventBus.consume` specifies it. */
export async function startConsumer(link: Link, options: ConsumerOptions, log: BusLog): Promise<Consumption> {
  const { durable, batch: batchSize, ackWaitMs, handler } = options;
  const stopping = new AbortController();
  const arrival = createSignal();
  /** The messages in `queue` and those that the handler has, by sequence. */
  const pending = new Map<number, PendingMessage>();
  const queue: PendingMessage[] = [];
  const unacked = createUnackedBatches();
  /** The newest message that may have been delivered before. All later ones arrive in order, for the first time. */
  let newest = 0;
  let pull: Pull | undefined;

  /** A reply names a message by its sequence only, so in a recreated stream it would hit another message. */
  function reply({ epoch, msg }: PendingMessage, text: string): void {
    if (epoch === link.session()?.epoch) link.nc.publish(msg.reply ?? '', text);
  }

  function finish(entries: readonly PendingMessage[], text: string): void {
    for (const entry of entries) {
      if (pending.get(entry.seq) === entry) pending.delete(entry.seq);
      reply(entry, text);
    }
  }

  function receive({ msg, seq, deliveries }: Delivery, epoch: string): void {
    const isNew = deliveries === 1 && seq > newest;
    newest = Math.max(newest, seq);
    const known = pending.get(seq);
    if (known?.epoch === epoch) {
      // The ack wait is over, for example after an outage. This process still has the message and doesn't handle it twice.
      known.msg = msg;
      known.message.isNew = false;
      return;
    }
    try {
      const message = { event: decodeEvent(msg), position: formatPosition(epoch, seq), isNew };
      const entry = { message, seq, epoch, msg, receivedAt: performance.now() };
      if (stopping.signal.aborted) return reply(entry, NACK);
      pending.set(seq, entry);
      queue.push(entry);
      arrival.send();
    } catch (error) {
      const fields = { event: 'bus.undecodable', durable, subject: msg.subject, seq, err: error };
      log.error(fields, 'a message of the stream is not an event; it is skipped');
      link.nc.publish(msg.reply ?? '', TERMINATE);
    }
  }

  /** Keeps a pull open, whatever happens to the connection, the stream and the consumer. */
  async function receiveAll(): Promise<void> {
    for (;;) {
      const session = await link.nextSession(stopping.signal);
      if (!session || stopping.signal.aborted) return;
      try {
        await link.whileUp(() => ensureDurable(link, durable, ackWaitMs));
        // The consumer may be new, or its server may have lost recent acknowledgements.
        newest = (await link.bounds()).last;
        pull = openPull(link, {
          consumer: durable,
          capacity: batchSize,
          room: () => batchSize - queue.length,
          onDelivery: (delivery) => receive(delivery, session.epoch),
          signal: AbortSignal.any([session.lost, stopping.signal]),
        });
        const reason = await pull.ended;
        if (!stopping.signal.aborted)
          log.info({ event: 'bus.reopen', durable, reason }, 'requesting messages again');
      } catch (error) {
        log.warn({ event: 'bus.reopen', durable, err: error }, 'the consumer is not available; retrying');
      }
      await pull?.close();
      // The stream itself may be gone. This recreates it.
      if (!stopping.signal.aborted && !session.lost.aborted) await link.bounds().catch(() => {});
      await pause(REOPEN_PAUSE_MS, stopping.signal);
    }
  }

  function nack(batch: readonly PendingMessage[], error: unknown): Promise<void> {
    const fields = { event: 'bus.batch_rejected', durable, messages: batch.length, err: error };
    log.warn(fields, 'the handler rejected a batch; it is delivered again');
    return finishWhenUp(batch, NACK_WITH_DELAY);
  }

  async function finishWhenUp(batch: readonly PendingMessage[], text: string): Promise<void> {
    // A reply during an outage would be lost.
    await link.nextSession(stopping.signal);
    finish(batch, text);
  }

  async function handle(batch: readonly PendingMessage[]): Promise<void> {
    let handled: DeferredAck | void;
    // If this process was suspended for longer than the ack wait, another one has had the messages.
    const since = performance.now() - ackWaitMs / 2;
    for (const { message, receivedAt } of batch) message.isNew &&= receivedAt > since;
    try {
      handled = await handler(batch.map(({ message }) => message));
    } catch (error) {
      await nack(batch, error);
      return pause(RETRY_PAUSE_MS, stopping.signal);
    }
    if (!handled) return finishWhenUp(batch, ACK);
    const acknowledging = handled.ackAfter.then(
      () => finishWhenUp(batch, ACK),
      (error: unknown) => nack(batch, error),
    );
    return unacked.add(acknowledging);
  }

  async function handleAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (queue.length === 0) {
        await arrival.next(stopping.signal);
        continue;
      }
      const batch = queue.splice(0, batchSize);
      pull?.refill();
      await handle(batch);
    }
  }

  try {
    await link.bounds();
    await link.whileUp(() => ensureDurable(link, durable, ackWaitMs));
  } catch (error) {
    throw busErrorFrom(error, `can't consume as ${durable}`);
  }
  const extendAckWait = setInterval(() => {
    for (const entry of pending.values()) reply(entry, IN_PROGRESS);
  }, ackWaitMs / 3);
  const running = Promise.all([receiveAll(), handleAll()]);

  return {
    async stop() {
      stopping.abort();
      finish(queue.splice(0), NACK);
      await running;
      await unacked.drain();
      clearInterval(extendAckWait);
      if (link.session()) await waitAtMost(link.nc.flush(), FLUSH_WITHIN_MS).catch(() => {});
    },
  };
}
