import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { BusLog } from '../bus-log.ts';
import type { BusMessage, Consumption } from '../port.ts';
import { pause, RETRY_PAUSE_MS, type Bell } from '../timing.ts';
import type { Durable } from './durable.ts';

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
  handler: (batch: BusMessage[]) => Promise<void>;
}

/** One consumer of a durable name; the contract is that of `EventBus.consume`. */
export function startConsumer(
  deps: ConsumerDeps,
  { name, batch: size, handler }: ConsumerOptions,
): Consumption {
  const { durable, news, onAcknowledged, report } = deps;
  const stopping = new AbortController();

  async function handleNext(): Promise<void> {
    const batch = durable.take(size);
    if (batch.length === 0) return news.next(stopping.signal);
    try {
      await handler(batch.map(({ event, position }) => ({ event, position })));
      durable.acknowledge(batch);
      onAcknowledged();
      await letOthersRun();
    } catch (error) {
      const fields = { event: 'bus.batch_rejected', durable: name, messages: batch.length, err: error };
      report.warn(fields, 'the handler rejected a batch, which comes again');
      await pause(RETRY_PAUSE_MS, stopping.signal);
      durable.giveBack(batch);
      news.ring();
    }
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
    },
  };
}
