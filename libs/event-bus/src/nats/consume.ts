import { pause, waitAtMost } from '@svcforms/primitives';
import type { BusLog, ConsumeOptions, Consumption, DeferredAck, DeliveredMessage } from '../port/port.ts';
import { createReadiness } from '../port/readiness.ts';
import { createSignal } from '../port/signal.ts';
import { createUnackedBatches, RETRY_PAUSE_MS } from '../port/unacked.ts';
import { durablesOf, ensureDurable } from './durable.ts';
import { busErrorFrom } from './errors.ts';
import type { Link } from './link.ts';
import { ACK, createPendingMessages, NACK, NACK_WITH_DELAY, type PendingMessage } from './pending.ts';
import { createReceiver, MAX_BATCH_BYTES, type Receiver } from './receive.ts';

const FLUSH_WITHIN_MS = 2_000;

export interface ConsumerOptions extends ConsumeOptions {
  durable: string;
  handler: (batch: DeliveredMessage[]) => Promise<DeferredAck | void>;
}

/** One consumer of a durable name, as `EventBus.consume` specifies it. */
export async function startConsumer(link: Link, options: ConsumerOptions, log: BusLog): Promise<Consumption> {
  const { durable, batch: batchSize, ackWaitMs, only, untilReady, handler } = options;
  const durables = durablesOf(durable, options);
  const stop = new AbortController();
  const stopping = stop.signal;
  const pending = createPendingMessages(link, stopping);
  const arrival = createSignal();
  const readiness = createReadiness(untilReady, stopping);
  const [singles, pairs] = durables.map((each) =>
    createReceiver(link, {
      durable: each,
      batch: batchSize,
      pending,
      arrival,
      readiness,
      stopping,
      ...(only && { only }),
      log,
    }),
  ) as [Receiver, Receiver];
  const unacked = createUnackedBatches();

  async function nack(batch: readonly PendingMessage[], error: unknown): Promise<void> {
    const fields = { event: 'bus.batch_rejected', durable, messages: batch.length, err: error };
    log.warn(fields, 'the handler rejected a batch; it is delivered again');
    await pending.finishWhenUp(batch, NACK_WITH_DELAY);
    readiness.lose();
    if (readiness.lost().aborted) giveBackQueued();
  }

  function giveBackQueued(): void {
    pending.finish([...singles.takeAll(), ...pairs.takeAll()], NACK);
  }

  async function handle(batch: readonly PendingMessage[]): Promise<void> {
    let handled: DeferredAck | void;
    // If this process was suspended for longer than the ack wait, another one has had the messages.
    const since = performance.now() - ackWaitMs / 2;
    for (const { messages, receivedAt } of batch)
      for (const message of messages) message.isNew &&= receivedAt > since;
    const delivered = batch.flatMap(({ messages }) => messages);
    // A consumer of an older version took every event.
    if (delivered.length === 0) return pending.finishWhenUp(batch, ACK);
    try {
      handled = await handler(delivered);
    } catch (error) {
      await nack(batch, error);
      await pause(RETRY_PAUSE_MS, stopping);
      return readiness.regained();
    }
    if (!handled) return pending.finishWhenUp(batch, ACK);
    const acknowledging = handled.ackAfter.then(
      () => pending.finishWhenUp(batch, ACK),
      (error: unknown) => nack(batch, error),
    );
    return unacked.add(acknowledging, bytesOf(batch));
  }

  async function handleAll(): Promise<void> {
    while (!stopping.aborted) {
      const batch = takeBatch();
      if (batch.length === 0) await arrival.next(stopping);
      else await handle(batch);
    }
  }

  /** The next messages of both receivers in the order of their arrival, and requests more. */
  function takeBatch(): PendingMessage[] {
    const batch: PendingMessage[] = [];
    let bytes = 0;
    while (batch.length < batchSize && bytes < MAX_BATCH_BYTES) {
      const first = singles.oldest() <= pairs.oldest() ? singles : pairs;
      const message = first.take();
      if (!message) break;
      batch.push(message);
      bytes += message.bytes;
    }
    singles.refill();
    pairs.refill();
    return batch;
  }

  try {
    await link.bounds();
    // In this order, so that the first consumer never gets a pair.
    for (const each of durables) await link.whileUp(() => ensureDurable(link, each));
  } catch (error) {
    throw busErrorFrom(error, `can't consume as ${durable}`);
  }
  const extending = setInterval(() => pending.extendAckWait(), ackWaitMs / 3);
  const running = Promise.all([singles.run(), pairs.run(), handleAll()]);

  return {
    async stop() {
      stop.abort();
      giveBackQueued();
      await running;
      await unacked.drain();
      clearInterval(extending);
      if (link.session()) await waitAtMost(link.nc.flush(), FLUSH_WITHIN_MS).catch(() => {});
    },
  };
}

function bytesOf(batch: readonly PendingMessage[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes, 0);
}
