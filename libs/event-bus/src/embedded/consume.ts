import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { BusLog } from '../bus-log.ts';
import type { Consumption, HandedMessage, Unsettled } from '../port.ts';
import { pause, RETRY_PAUSE_MS, type Bell } from '../timing.ts';
import { createUnsettledBatches } from '../unsettled.ts';
import type { Durable } from './durable.ts';
import type { LoggedMessage } from './log.ts';

export interface ConsumerDeps {
  durable: Durable;
  /** Rings when there may be something to take. */
  news: Bell;
  onAcknowledged: () => void;
  report: BusLog;
}

export interface ConsumerOptions {
  name: string;
  batch: number;
  handler: (batch: HandedMessage[]) => Promise<Unsettled | void>;
}

/** One consumer of a durable name; the contract is that of `EventBus.consume`. */
export function startConsumer(
  deps: ConsumerDeps,
  { name, batch: size, handler }: ConsumerOptions,
): Consumption {
  const { durable, news, onAcknowledged, report } = deps;
  const stopping = new AbortController();
  const unsettled = createUnsettledBatches();

  function acknowledge(batch: readonly LoggedMessage[]): void {
    durable.acknowledge(batch);
    onAcknowledged();
  }

  async function comeAgain(batch: readonly LoggedMessage[], error: unknown): Promise<void> {
    const fields = { event: 'bus.batch_rejected', durable: name, messages: batch.length, err: error };
    report.warn(fields, 'the handler rejected a batch, which comes again');
    await pause(RETRY_PAUSE_MS, stopping.signal);
    durable.giveBack(batch);
    news.ring();
  }

  async function handleNext(): Promise<void> {
    const batch = durable.take(size);
    if (batch.length === 0) return news.next(stopping.signal);
    let handled: Unsettled | void;
    try {
      const isNew = (seq: number) => durable.isNew(seq);
      handled = await handler(
        batch.map(({ event, position, seq }) => ({ event, position, isNew: isNew(seq) })),
      );
    } catch (error) {
      return comeAgain(batch, error);
    }
    if (handled) {
      const acknowledging = handled.settled.then(
        () => acknowledge(batch),
        (error: unknown) => comeAgain(batch, error),
      );
      await unsettled.add(acknowledging);
    } else {
      acknowledge(batch);
    }
    await letOthersRun();
  }

  async function handleAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await handleNext();
      } catch (error) {
        report.warn({ event: 'bus.waiting', durable: name, err: error }, 'the log can not be read yet');
        await pause(RETRY_PAUSE_MS, stopping.signal);
      }
    }
  }

  const running = handleAll();
  return {
    async stop() {
      stopping.abort();
      await running;
      await unsettled.end();
    },
  };
}
