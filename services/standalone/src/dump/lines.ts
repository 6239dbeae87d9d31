import type { BusEvent } from '@svcforms/contracts';
import type { StoredDocument } from '@svcforms/document-store';

/** The version of the format below. */
export const FORMAT = 1;

/** The size of a dump. */
export interface Amount {
  documents: number;
  events: number;
}

/** A line of a dump, as JSON. The first is the head and the last the end, so that a truncated dump is detected. */
export type DumpLine =
  | { svcformsDump: number; at: string; collections: string[] }
  | { in: string; document: StoredDocument }
  | { event: BusEvent }
  | { end: Amount };

/** The size of a dump as text. */
export const amountText = ({ documents, events }: Amount): string =>
  `${documents} ${documents === 1 ? 'document' : 'documents'} and ${events} unread ${events === 1 ? 'event' : 'events'}`;

/** Splits a stream of text into lines. `readline` would also split at U+2028, which JSON text can contain. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    begun.push(first);
    for (const next of others) {
      yield begun.join('');
      begun = [next];
    }
  }
  const rest = begun.join('');
  if (rest !== '') yield rest;
}
