import { EventBusError, type Position } from './port.ts';

/** The range of sequences in the log. */
export interface LogBounds {
  epoch: string;
  /** The oldest sequence in the log; `last + 1` if the log is empty. */
  first: number;
  /** The newest sequence, even if it has been dropped; 0 in a new log. */
  last: number;
}

export function formatPosition(epoch: string, seq: number): Position {
  return `${epoch}-${seq}`;
}

/** The parts of a position; `null` if the text isn't one. */
export function readPosition(position: string): { epoch: string; seq: number } | null {
  const [, epoch, digits] = /^([0-9a-z]+)-(\d{1,15})$/.exec(position) ?? [];
  return epoch === undefined ? null : { epoch, seq: Number(digits) };
}

/**
 * The sequence of the message after `after`.
 * @throws EventBusError `POSITION_GONE` unless the log holds all messages after `after`. Clients send positions (in
 * `Last-Event-ID`), so a text that isn't a position counts as gone too.
 */
export function sequenceAfter(after: Position, { epoch, first, last }: LogBounds): number {
  const position = readPosition(after);
  const next = (position?.seq ?? 0) + 1;
  if (position?.epoch === epoch && next >= first && next <= last + 1) return next;
  throw new EventBusError('POSITION_GONE', `the log doesn't hold all messages after ${after}`);
}
