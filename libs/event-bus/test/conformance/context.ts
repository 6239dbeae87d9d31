import type { BusEvent } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import type {
  BusMessage,
  Consumption,
  EventBus,
  HandedMessage,
  Position,
  Unsettled,
} from '../../src/port.ts';

/** What the tests of one description work on; each test has a log of its own, empty at its beginning. */
export interface BusContext {
  /** A bus on the log of this test; closed after the test at the latest. */
  open(): Promise<EventBus>;
}

/** Longer than any test waits: what arrives did not come by the end of an ack wait. */
export const LONG_ACK_WAIT = { batch: 100, ackWaitMs: 120_000 };

/** One after the other, so that the log has them in this order. */
export async function publishAll(bus: EventBus, events: readonly BusEvent[]): Promise<Position[]> {
  const positions: Position[] = [];
  for (const event of events) positions.push(await bus.publish(event));
  return positions;
}

export const idsOf = (items: readonly (BusEvent | BusMessage)[]) =>
  items.map((item) => ('event' in item ? item.event.id : item.id));

export interface Collector extends Consumption {
  batches: HandedMessage[][];
  /** Ids in the order of their arrival, repetitions included. */
  ids(): string[];
  /** Resolves when all of these have come. */
  has(events: readonly BusEvent[]): Promise<void>;
}

/** A consumer whose handler notes what comes and then does `work`. */
export async function collect(
  bus: EventBus,
  durable: string,
  {
    work = async () => {},
    ...options
  }: Partial<typeof LONG_ACK_WAIT> & { work?: (batch: HandedMessage[]) => Promise<Unsettled | void> } = {},
): Promise<Collector> {
  const batches: HandedMessage[][] = [];
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

/** A door that a handler waits at until the test opens it. */
export function aGate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
