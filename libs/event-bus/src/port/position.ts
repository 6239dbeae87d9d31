import { EventBusError, type Position } from './port.ts';

/** The range of sequences in the log. */
export interface LogBounds {
  epoch: string;
  /** The oldest sequence in the log; `last + 1` if the log is empty. */
  first: number;
  /** The newest sequence, even if it has been dropped; 0 in a new log. */
  last: number;
}

/** A message of the log has one or two events. The sequence of the `nth` one, from 0. */
export function eventSequence(seq: number, nth: number, count: number): number {
  return seq - (count - 1 - nth) / 2;
}

export function formatPosition(epoch: string, seq: number): Position {
  return `${epoch}-${seq}`;
}

/** The parts of a position; `null` if the text isn't one. */
export function readPosition(position: string): { epoch: string; seq: number } | null {
  const [, epoch, digits] = /^([0-9a-z]+)-(\d{1,15}(?:\.5)?)$/.exec(position) ?? [];
  return epoch === undefined ? null : { epoch, seq: Number(digits) };
}

/** The sequence after which a reader at this position continues; 0 if the text isn't a position. */
export const sequenceOf = (position: Position): number => readPosition(position)?.seq ?? 0;

/**
 * The sequence of the message that has the next event after `after`. If `after` is the first event
 * of a message, that message.
 * @throws EventBusError `POSITION_GONE` unless the log holds all messages after `after`. Clients
 * send positions (in `Last-Event-ID`), so a text that isn't a position counts as gone too.
 */
export function sequenceAfter(after: Position, { epoch, first, last }: LogBounds): number {
  const position = readPosition(after);
  const seq = position?.seq ?? 0;
  const next = Math.floor(seq) + 1;
  if (position?.epoch === epoch && next >= first && seq <= last) return next;
  throw new EventBusError('POSITION_GONE', `the log doesn't hold all messages after ${after}`);
}
