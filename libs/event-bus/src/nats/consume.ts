import { nanos, type Msg } from '@nats-io/transport-node';
import type { BusLog } from '../bus-log.ts';
import type { ConsumeOptions, Consumption, HandedMessage, Unsettled } from '../port.ts';
import { formatPosition } from '../position.ts';
import { atMost, createBell, pause, RETRY_PAUSE_MS } from '../timing.ts';
import { createUnsettledBatches } from '../unsettled.ts';
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
  message: HandedMessage;
  seq: number;
  epoch: string;
  /** What to answer to: the newest handing out. */
  msg: Msg;
  /** By `performance.now()`. */
  receivedAt: number;
}

export interface ConsumerOptions extends ConsumeOptions {
  durable: string;
  handler: (batch: HandedMessage[]) => Promise<Unsettled | void>;
}

/** One consumer of a durable name; the contract is that of `EventBus.consume`. */
export async function startConsumer(link: Link, options: ConsumerOptions, log: BusLog): Promise<Consumption> {
  const { durable, batch: batchSize, ackWaitMs, handler } = options;
  const stopping = new AbortController();
  const arrival = createBell();
  /** Those in `waiting` and those that the handler has, by sequence. */
  const held = new Map<number, Held>();
  const waiting: Held[] = [];
  const unsettled = createUnsettledBatches();
  /** The newest that the consumer may have handed out already; after it all come in order for the first time. */
  let newest = 0;
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

  function receive({ msg, seq, deliveries }: Delivery, epoch: string): void {
    const isNew = deliveries === 1 && seq > newest;
    newest = Math.max(newest, seq);
    const known = held.get(seq);
    if (known?.epoch === epoch) {
      // The server gave up waiting for us (during an outage, say). It is still ours, so it isn't handled twice.
      known.msg = msg;
      known.message.isNew = false;
      return;
    }
    try {
      const message = { event: decodeEvent(msg), position: formatPosition(epoch, seq), isNew };
      const entry = { message, seq, epoch, msg, receivedAt: performance.now() };
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
        // It may have been made anew, or forgotten a little.
        newest = (await link.bounds()).last;
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

  function comeAgain(batch: readonly Held[], error: unknown): Promise<void> {
    const fields = { event: 'bus.batch_rejected', durable, messages: batch.length, err: error };
    log.warn(fields, 'the handler rejected a batch, which comes again');
    return settleWhenUp(batch, LATER);
  }

  async function settleWhenUp(batch: readonly Held[], what: string): Promise<void> {
    // During an outage an answer would get lost.
    await link.nextSession(stopping.signal);
    settle(batch, what);
  }

  async function handle(batch: readonly Held[]): Promise<void> {
    let handled: Unsettled | void;
    // This process may have been stopped for longer than the server waits: then another one has had them.
    const since = performance.now() - ackWaitMs / 2;
    for (const { message, receivedAt } of batch) message.isNew &&= receivedAt > since;
    try {
      handled = await handler(batch.map(({ message }) => message));
    } catch (error) {
      await comeAgain(batch, error);
      return pause(RETRY_PAUSE_MS, stopping.signal);
    }
    if (!handled) return settleWhenUp(batch, DONE);
    const acknowledging = handled.settled.then(
      () => settleWhenUp(batch, DONE),
      (error: unknown) => comeAgain(batch, error),
    );
    return unsettled.add(acknowledging);
  }

  async function handleAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (waiting.length === 0) {
        await arrival.next(stopping.signal);
        continue;
      }
      const batch = waiting.splice(0, batchSize);
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
  const keepHeld = setInterval(() => {
    for (const entry of held.values()) answer(entry, WORKING);
  }, ackWaitMs / 3);
  const running = Promise.all([receiveAll(), handleAll()]);

  return {
    async stop() {
      stopping.abort();
      settle(waiting.splice(0), NOT_NOW);
      await running;
      await unsettled.end();
      clearInterval(keepHeld);
      if (link.session()) await atMost(FLUSH_WITHIN_MS, link.nc.flush());
    },
  };
}
