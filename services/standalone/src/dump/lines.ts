import type { BusEvent } from '@svcforms/contracts';
import type { StoredDocument } from '@svcforms/document-store';

/** The version of the format below. */
export const FORMAT = 1;

/** How many of each. */
export interface Amount {
  documents: number;
  events: number;
}

/** One line of a dump, as JSON. The first is the head and the last the end, so that one that was cut off is noticed. */
export type DumpLine =
  | { svcformsDump: number; at: string; collections: string[] }
  | { in: string; document: StoredDocument }
  | { event: BusEvent }
  | { end: Amount };

/** What a person reads. */
export const amountText = ({ documents, events }: Amount): string =>
  `${documents} ${documents === 1 ? 'document' : 'documents'} and ${events} unread ${events === 1 ? 'event' : 'events'}`;

/** The lines of a text that comes in pieces. `readline` would also end one at U+2028, which texts in JSON may hold. */
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
