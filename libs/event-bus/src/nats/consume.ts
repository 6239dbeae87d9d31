import { nanos, type Msg } from '@nats-io/transport-node';
import type { BusLog } from '../bus-log.ts';
import type { BusMessage, ConsumeOptions, Consumption } from '../port.ts';
import { formatPosition } from '../position.ts';
import { atMost, createBell, pause, RETRY_PAUSE_MS } from '../timing.ts';
import { ensureDurable } from './durable.ts';
import { busErrorFrom } from './errors.ts';
import type { Link } from './link.ts';
import { decodeEvent, type Delivery } from './message.ts';
import { openPull, type Pull } from './pull.ts';

const REOPEN_PAUSE_MS = 250;
const FLUSH_WITHIN_MS = 2_000;

/** The answers to a message that JetStream knows. */
const DONE = '+ACK';
const WORKING = '+WPI';
const NEVER = '+TERM';
const NOT_NOW = '-NAK';
const LATER = `-NAK ${JSON.stringify({ delay: nanos(RETRY_PAUSE_MS) })}`;

/** A message that was handed to this process and is not answered for good. */
interface Held {
  message: BusMessage;
  seq: number;
  epoch: string;
  /** What to answer to: the newest handing out. */
  msg: Msg;
}

export interface ConsumerOptions extends ConsumeOptions {
  durable: string;
  handler: (batch: BusMessage[]) => Promise<void>;
}

/** One consumer of a durable name; the contract is that of `EventBus.consume`. */
export async function startConsumer(link: Link, options: ConsumerOptions, log: BusLog): Promise<Consumption> {
  const { durable, batch: batchSize, ackWaitMs, handler } = options;
  const stopping = new AbortController();
  const arrival = createBell();
  /** Those in `waiting` and those that the handler has, by sequence. */
  const held = new Map<number, Held>();
  const waiting: Held[] = [];
  let pull: Pull | undefined;

  /** An answer names a message by its sequence alone: in a stream made anew it would hit another message. */
  function answer({ epoch, msg }: Held, what: string): void {
    if (epoch === link.session()?.epoch) link.nc.publish(msg.reply ?? '', what);
  }

  function settle(entries: readonly Held[], what: string): void {
    for (const entry of entries) {
      if (held.get(entry.seq) === entry) held.delete(entry.seq);
      answer(entry, what);
    }
  }

  function receive({ msg, seq }: Delivery, epoch: string): void {
    const known = held.get(seq);
    if (known?.epoch === epoch) {
      // The server gave up waiting for us (during an outage, say). It is still ours, so it isn't handled twice.
      known.msg = msg;
      return;
    }
    try {
      const message = { event: decodeEvent(msg), position: formatPosition(epoch, seq) };
      const entry = { message, seq, epoch, msg };
      if (stopping.signal.aborted) return answer(entry, NOT_NOW);
      held.set(seq, entry);
      waiting.push(entry);
      arrival.ring();
    } catch (error) {
      const fields = { event: 'bus.undecodable', durable, subject: msg.subject, seq, err: error };
      log.error(fields, 'a message of the stream is no event; it is skipped');
      link.nc.publish(msg.reply ?? '', NEVER);
    }
  }

  /** Keeps a pull open, through whatever happens to the connection, the stream and the consumer. */
  async function receiveAll(): Promise<void> {
    for (;;) {
      const session = await link.nextSession(stopping.signal);
      if (!session || stopping.signal.aborted) return;
      try {
        await link.whileUp(() => ensureDurable(link, durable, ackWaitMs));
        pull = openPull(link, {
          consumer: durable,
          capacity: batchSize,
          room: () => batchSize - waiting.length,
          onDelivery: (delivery) => receive(delivery, session.epoch),
          signal: AbortSignal.any([session.lost, stopping.signal]),
        });
        const reason = await pull.ended;
        if (!stopping.signal.aborted) log.info({ event: 'bus.reopen', durable, reason }, 'asking anew');
      } catch (error) {
        log.warn({ event: 'bus.reopen', durable, err: error }, 'the consumer can not be had yet');
      }
      await pull?.close();
      // The stream itself may be gone, which this finds out and mends.
      if (!stopping.signal.aborted && !session.lost.aborted) await link.bounds().catch(() => {});
      await pause(REOPEN_PAUSE_MS, stopping.signal);
    }
  }

  /** Whether the handler resolved. */
  async function handle(batch: readonly Held[]): Promise<boolean> {
    try {
      await handler(batch.map(({ message }) => message));
      return true;
    } catch (error) {
      const fields = { event: 'bus.batch_rejected', durable, messages: batch.length, err: error };
      log.warn(fields, 'the handler rejected a batch, which comes again');
      return false;
    }
  }

  async function handleAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (waiting.length === 0) {
        await arrival.next(stopping.signal);
        continue;
      }
      const batch = waiting.splice(0, batchSize);
      pull?.refill();
      const handled = await handle(batch);
      // During an outage an answer would get lost.
      await link.nextSession(stopping.signal);
      settle(batch, handled ? DONE : LATER);
      if (!handled) await pause(RETRY_PAUSE_MS, stopping.signal);
    }
  }

  try {
    await link.bounds();
    await link.whileUp(() => ensureDurable(link, durable, ackWaitMs));
  } catch (error) {
    throw busErrorFrom(error, `can't consume as ${durable}`);
  }
  const keepHeld = setInterval(() => {
    for (const entry of held.values()) answer(entry, WORKING);
  }, ackWaitMs / 3);
  const running = Promise.all([receiveAll(), handleAll()]);

  return {
    async stop() {
      stopping.abort();
      settle(waiting.splice(0), NOT_NOW);
      await running;
      clearInterval(keepHeld);
      if (link.session()) await atMost(FLUSH_WITHIN_MS, link.nc.flush());
    },
  };
}
