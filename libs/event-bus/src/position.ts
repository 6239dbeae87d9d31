import { EventBusError, type Position } from './port.ts';

/** What the log holds, as far as a reader's position is concerned. */
export interface LogBounds {
  epoch: string;
  /** The oldest sequence that is still there; one after `last` when nothing is. */
  first: number;
  /** The newest sequence, also when it has been dropped since; 0 in a log that never held anything. */
  last: number;
}

export function formatPosition(epoch: string, seq: number): Position {
  return `${epoch}-${seq}`;
}

/** The parts of a position; `null` for a text that is none. */
export function readPosition(position: string): { epoch: string; seq: number } | null {
  const [, epoch, digits] = /^([0-9a-z]+)-(\d{1,15})$/.exec(position) ?? [];
  return epoch === undefined ? null : { epoch, seq: Number(digits) };
}

/**
 * The sequence of the message after `after`.
 * @throws EventBusError `POSITION_GONE` when what follows `after` is not (or no longer) all in this log. A position
 * comes back from outside (a stream's `Last-Event-ID`), so one that can't be read counts as gone too.
 */
export function sequenceAfter(after: Position, { epoch, first, last }: LogBounds): number {
  const place = readPosition(after);
  const next = (place?.seq ?? 0) + 1;
  if (place?.epoch === epoch && next >= first && next <= last + 1) return next;
  throw new EventBusError('POSITION_GONE', `the log has nothing that follows on ${after}`);
}
