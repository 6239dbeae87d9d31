import { pause, waitAtMost } from '@svcforms/primitives';
import type { BusLog, ConsumeOptions, Consumption, DeferredAck, DeliveredMessage } from '../port/port.ts';
import { createUnackedBatches, RETRY_PAUSE_MS } from '../port/unacked.ts';
import { ensureDurable } from './durable.ts';
import { busErrorFrom } from './errors.ts';
import type { Link } from './link.ts';
import { ACK, createPendingMessages, NACK, NACK_WITH_DELAY, type PendingMessage } from './pending.ts';
import { createReceiver } from './receive.ts';

const FLUSH_WITHIN_MS = 2_000;

export interface ConsumerOptions extends ConsumeOptions {
  durable: string;
  handler: (batch: DeliveredMessage[]) => Promise<DeferredAck | void>;
}

/** One consumer of a durable name, as `EventBus.consume` specifies it. */
export async function startConsumer(link: Link, options: ConsumerOptions, log: BusLog): Promise<Consumption> {
  const { durable, batch: batchSize, ackWaitMs, handler } = options;
  const stop = new AbortController();
  const stopping = stop.signal;
  const pending = createPendingMessages(link, stopping);
  const receiver = createReceiver(link, { durable, batch: batchSize, ackWaitMs, pending, stopping, log });
  const unacked = createUnackedBatches();

  function nack(batch: readonly PendingMessage[], error: unknown): Promise<void> {
    const fields = { event: 'bus.batch_rejected', durable, messages: batch.length, err: error };
    log.warn(fields, 'the handler rejected a batch; it is delivered again');
    return pending.finishWhenUp(batch, NACK_WITH_DELAY);
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
      return pause(RETRY_PAUSE_MS, stopping);
    }
    if (!handled) return pending.finishWhenUp(batch, ACK);
    const acknowledging = handled.ackAfter.then(
      () => pending.finishWhenUp(batch, ACK),
      (error: unknown) => nack(batch, error),
    );
    return unacked.add(acknowledging);
  }

  async function handleAll(): Promise<void> {
    while (!stopping.aborted) {
      if (receiver.isEmpty()) await receiver.nextArrival();
      else await handle(receiver.takeBatch());
    }
  }

  try {
    await link.bounds();
    await link.whileUp(() => ensureDurable(link, durable, ackWaitMs));
  } catch (error) {
    throw busErrorFrom(error, `can't consume as ${durable}`);
  }
  const extending = setInterval(() => pending.extendAckWait(), ackWaitMs / 3);
  const running = Promise.all([receiver.run(), handleAll()]);

  return {
    async stop() {
      stop.abort();
      pending.finish(receiver.takeAll(), NACK);
      await running;
      await unacked.drain();
      clearInterval(extending);
      if (link.session()) await waitAtMost(link.nc.flush(), FLUSH_WITHIN_MS).catch(() => {});
    },
  };
}
