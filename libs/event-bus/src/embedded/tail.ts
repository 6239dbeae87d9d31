import type { BusMessage, Position } from '../port/port.ts';
import { formatPosition, sequenceAfter } from '../port/position.ts';
import type { Signal } from '../port/signal.ts';
import type { EventLog } from './log.ts';

const READ_AHEAD = 256;

/** The log in order, as `EventBus.tail` specifies it. */
export async function* tailLog(
  log: EventLog,
  { after, signal, available }: { after?: Position; signal: AbortSignal; available: Signal },
): AsyncGenerator<BusMessage> {
  const start = log.bounds();
  let next = after === undefined ? start.last + 1 : sequenceAfter(after, start);
  while (!signal.aborted) {
    // Throws if messages that this tail hasn't read yet were dropped.
    sequenceAfter(formatPosition(start.epoch, next - 1), log.bounds());
    const { messages, upTo } = log.read(next - 1, READ_AHEAD);
    if (upTo < next) await available.next(signal);
    for (const { seq, event, position } of messages) {
      if (signal.aborted) return;
      next = seq + 1;
      yield { event, position };
    }
    next = Math.max(next, upTo + 1);
  }
}
