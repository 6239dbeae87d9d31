import type { BusEvent } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import type {
  BusMessage,
  ConsumeOptions,
  Consumption,
  EventBus,
  DeliveredMessage,
  Position,
  DeferredAck,
} from '../../src/port/port.ts';

/** The fixture of the suite. Each test has its own log, which is empty at first. */
export interface BusContext {
  /** Opens a bus on the log of this test. It is closed after the test at the latest. */
  open(): Promise<EventBus>;
}

/** An ack wait longer than any test, so that no delivery is caused by its end. */
export const LONG_ACK_WAIT = { batch: 100, ackWaitMs: 120_000 };

/** Publishes one event after the other, so that the log has this order. */
export async function publishAll(bus: EventBus, events: readonly BusEvent[]): Promise<Position[]> {
  const positions: Position[] = [];
  for (const event of events) positions.push(await bus.publish(event));
  return positions;
}

export const idsOf = (items: readonly (BusEvent | BusMessage)[]) =>
  items.map((item) => ('event' in item ? item.event.id : item.id));

interface Collector extends Consumption {
  batches: DeliveredMessage[][];
  /** Event ids in the order of delivery, with repetitions. */
  ids(): string[];
  /** Resolves when all of these are delivered. */
  has(events: readonly BusEvent[]): Promise<void>;
}

/** A consumer whose handler records each batch and then does `work`. */
export async function collect(
  bus: EventBus,
  durable: string,
  {
    work = async () => {},
    ...options
  }: Partial<ConsumeOptions> & {
    work?: (batch: DeliveredMessage[]) => Promise<DeferredAck | void>;
  } = {},
): Promise<Collector> {
  const batches: DeliveredMessage[][] = [];
  const ids = () => batches.flatMap((batch) => idsOf(batch));
  const consumption = await bus.consume(durable, { ...LONG_ACK_WAIT, ...options }, async (batch) => {
    batches.push(batch);
    return work(batch);
  });
  return {
    batches,
    ids,
    stop: () => consumption.stop(),
    async has(events) {
      const wanted = idsOf(events);
      await poll(() => isSubset(wanted, ids()), { what: `${wanted.length} events at ${durable}` });
    },
  };
}

function isSubset(wanted: readonly string[], present: readonly string[]): boolean {
  const set = new Set(present);
  return wanted.every((id) => set.has(id));
}

/** The first `count` messages of a tail. */
export async function take(bus: EventBus, count: number, after: Position): Promise<BusMessage[]> {
  const messages: BusMessage[] = [];
  for await (const message of bus.tail({ after, signal: AbortSignal.timeout(20_000) })) {
    messages.push(message);
    if (messages.length === count) break;
  }
  return messages;
}

/** Blocks a handler until the test opens the gate. */
export function aGate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
