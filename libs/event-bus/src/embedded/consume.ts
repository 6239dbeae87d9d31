import type { BusEvent } from '@svcforms/contracts';
import { pause } from '@svcforms/primitives';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BusLog, ConsumeOptions, Consumption, DeferredAck, DeliveredMessage } from '../port/port.ts';
import { createReadiness } from '../port/readiness.ts';
import type { Signal } from '../port/signal.ts';
import { createUnackedBatches, RETRY_PAUSE_MS } from '../port/unacked.ts';
import type { Durable } from './durable.ts';
import type { LoggedMessage } from './read.ts';

interface ConsumerDeps {
  durable: Durable;
  /** Sent when messages may be available. */
  available: Signal;
  onAcknowledged: () => void;
  report: BusLog;
}

export interface ConsumerOptions extends Pick<ConsumeOptions, 'batch' | 'only' | 'untilReady'> {
  name: string;
  handler: (batch: DeliveredMessage[]) => Promise<DeferredAck | void>;
}

/** One consumer of a durable name, as `EventBus.consume` specifies it. */
export function startConsumer(
  deps: ConsumerDeps,
  { name, batch: size, only, untilReady, handler }: ConsumerOptions,
): Consumption {
  const { durable, available, onAcknowledged, report } = deps;
  const stopping = new AbortController();
  const unacked = createUnackedBatches();
  const readiness = createReadiness(untilReady, stopping.signal);
  const wants = only && (({ type, quiet }: BusEvent) => !quiet && only.includes(type));

  function ack(batch: readonly LoggedMessage[]): void {
    durable.acknowledge(batch);
    onAcknowledged();
  }

  async function nack(batch: readonly LoggedMessage[], error: unknown): Promise<void> {
    const fields = { event: 'bus.batch_rejected', durable: name, messages: batch.length, err: error };
    report.warn(fields, 'the handler rejected a batch; it is delivered again');
    readiness.lose();
    await pause(RETRY_PAUSE_MS, stopping.signal);
    durable.giveBack(batch);
    available.send();
  }

  async function handleNext(): Promise<void> {
    await readiness.regained();
    const batch = durable.take(size, wants);
    if (batch.length === 0) return available.next(stopping.signal);
    let handled: DeferredAck | void;
    try {
      const isNew = (seq: number) => durable.isNew(seq);
      handled = await handler(
        batch.map(({ event, position, seq }) => ({ event, position, isNew: isNew(seq) })),
      );
    } catch (error) {
      return nack(batch, error);
    }
    if (handled) {
      const acknowledging = handled.ackAfter.then(
        () => ack(batch),
        (error: unknown) => nack(batch, error),
      );
      const bytes = batch.reduce((sum, { event }) => sum + (event.body?.length ?? 0), 0);
      await unacked.add(acknowledging, bytes);
    } else {
      ack(batch);
    }
    await nextTurn();
  }

  async function handleAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await handleNext();
      } catch (error) {
        report.warn({ event: 'bus.waiting', durable: name, err: error }, "can't read the log; retrying");
        await pause(RETRY_PAUSE_MS, stopping.signal);
      }
    }
  }

  const running = handleAll();
  return {
    async stop() {
      stopping.abort();
      await running;
      await unacked.drain();
    },
  };
}
