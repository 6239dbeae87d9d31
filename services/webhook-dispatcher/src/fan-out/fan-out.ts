import { DURABLES, type ConsumeOptions, type Consumption, type EventBus } from '@svcforms/event-bus';
import { pause, type Tracing } from '@svcforms/primitives';
import { EVENT_WAIT_MS } from '../store/store-retry.ts';
import type { FanOutBatch } from './fan-out-batch.ts';
import { traceProcessing } from './trace-processing.ts';

const CONSUME = { batch: 200, ackWaitMs: EVENT_WAIT_MS };
/**
 * After a batch with more events than this, the next batch collects events for `COLLECT_MS`: each
 * batch costs a query.
 */
const FEW_EVENTS = 4;
const COLLECT_MS = 4;

interface FanOutDeps {
  bus: Pick<EventBus, 'consume'>;
  fanOutBatch: FanOutBatch;
  /** Resolves when the store responds. */
  untilReady: NonNullable<ConsumeOptions['untilReady']>;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  /** Aborts when the service stops. */
  signal: AbortSignal;
}

/**
 * Consumes events and enqueues one delivery for each event and subscribed webhook whose filter it
 * passes.
 */
export function createFanOut({ bus, fanOutBatch, untilReady, tracing, signal }: FanOutDeps): {
  start(): Promise<void>;
  stop(): Promise<void>;
} {
  let consumption: Consumption | undefined;

  return {
    async start() {
      consumption = await bus.consume(DURABLES.fanOut, { ...CONSUME, untilReady }, async (batch) => {
        const handled = await traceProcessing(tracing, batch, fanOutBatch);
        if (batch.length > FEW_EVENTS) await pause(COLLECT_MS, signal);
        return handled;
      });
    },
    async stop() {
      await consumption?.stop();
    },
  };
}
