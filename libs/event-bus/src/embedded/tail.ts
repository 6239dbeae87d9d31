import type { BusMessage, Position } from '../port.ts';
import { formatPosition, sequenceAfter } from '../position.ts';
import type { Bell } from '../timing.ts';
import type { EventLog } from './log.ts';

const READ_AHEAD = 256;

/** The log in order; the contract is that of `EventBus.tail`. */
export async function* tailLog(
  log: EventLog,
  { after, signal, news }: { after?: Position; signal: AbortSignal; news: Bell },
): AsyncGenerator<BusMessage> {
  const start = log.bounds();
  let next = after === undefined ? start.last + 1 : sequenceAfter(after, start);
  while (!signal.aborted) {
    // Throws when messages were dropped while nobody took them here.
    sequenceAfter(formatPosition(start.epoch, next - 1), log.bounds());
    const { messages, upTo } = log.read(next - 1, READ_AHEAD);
    if (upTo < next) await news.next(signal);
    for (const { seq, event, position } of messages) {
      if (signal.aborted) return;
      next = seq + 1;
      yield { event, position };
    }
    next = Math.max(next, upTo + 1);
  }
}
