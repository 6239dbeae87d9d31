import type { BusEvent } from '@svcforms/contracts';
import type { StoredDocument } from '@svcforms/document-store';
import { createHash } from 'node:crypto';

/** The version of the format below. */
export const FORMAT = 1;

/** The size of a dump. */
export interface Amount {
  documents: number;
  events: number;
}

/**
 * The last line. `sha256` is that of all lines before it, hex; dumps of older versions have none.
 */
interface EndLine {
  end: Amount;
  sha256?: string;
}

/**
 * A line of a dump, as JSON. The first is the head and the last the end, so that a truncated dump
 * is detected.
 */
export type DumpLine =
  | { svcformsDump: number; at: string; collections: string[]; account?: ExportedAccount }
  | { in: string; document: StoredDocument }
  | { event: BusEvent }
  | EndLine;

/** What the head of an export says about its account. docs/adr/0061 */
interface ExportedAccount {
  id: string;
  name: string;
  /** The salt of the key that seals the secrets of the file, base64. */
  salt: string;
  /** A known text sealed with that key, by which a wrong passphrase is detected. */
  proof: string;
}

/** Formats the lines of a dump, and counts and hashes them for the last one. */
export function createLineWriter() {
  const hash = createHash('sha256');
  const amount: Amount = { documents: 0, events: 0 };
  function line(content: DumpLine): string {
    if ('document' in content) amount.documents += 1;
    if ('event' in content) amount.events += 1;
    const text = `${JSON.stringify(content)}\n`;
    hash.update(text);
    return text;
  }
  return {
    amount,
    line,
    end: () => `${JSON.stringify({ end: amount, sha256: hash.digest('hex') })}\n`,
  };
}

/**
 * Passes the lines of a dump on, and checks the checksum of its last line. @throws Error when the
 * dump was changed
 */
export async function* checkedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let hasEnded = false;
  for await (const line of lines) {
    if (hasEnded)
      throw new Error('the dump has lines after its end, so it was changed or joined with another');
    if (line.startsWith('{"end":')) {
      hasEnded = true;
      const { sha256 } = parsedEnd(line);
      if (sha256 !== undefined && sha256 !== hash.digest('hex')) {
        throw new Error('the dump was changed: its checksum does not match');
      }
    } else {
      hash.update(line).update('\n');
    }
    yield line;
  }
}

function parsedEnd(line: string): Partial<EndLine> {
  try {
    return JSON.parse(line) as Partial<EndLine>;
  } catch {
    // The reader of the lines reports it.
    return {};
  }
}

/**
 * What {@link verifyDump} finds out about a dump. `sha256`: of all lines but the last; absent in
 * dumps of older versions.
 */
export interface VerifiedDump extends Amount {
  head: DumpHead;
  sha256: string | undefined;
}

/**
 * Reads a whole dump without storing it. @throws Error when it isn't a dump, is truncated or was
 * changed
 */
export async function verifyDump(lines: AsyncIterable<string>): Promise<VerifiedDump> {
  let first: string | undefined;
  let last = '';
  let count = 0;
  for await (const line of checkedLines(lines)) {
    first ??= line;
    last = line;
    count += 1;
  }
  if (first === undefined) throw new Error('the input is empty, not a dump');
  const head = parseLine(first, 1);
  if (!('svcformsDump' in head)) throw new Error('line 1 is not the head of a dump');
  if (!last.startsWith('{"end":')) throw new Error(`the dump is truncated after line ${count}`);
  const end = parseLine(last, count);
  if (!('end' in end)) throw notALine(count);
  return { ...end.end, head, sha256: end.sha256 };
}

export type DumpHead = Extract<DumpLine, { svcformsDump: number }>;

/** @throws Error for text that isn't JSON of an object */
export function parseLine(text: string, number: number): DumpLine {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null) return line as DumpLine;
  } catch {
    // Reported below.
  }
  throw notALine(number);
}

export const notALine = (number: number): Error => new Error(`line ${number} is not a line of a dump`);

/** The size of a dump as text. */
export const amountText = ({ documents, events }: Amount): string =>
  `${documents} ${documents === 1 ? 'document' : 'documents'} and ${events} unread ${events === 1 ? 'event' : 'events'}`;

/**
 * Splits a stream of text into lines. `readline` would also split at U+2028, which JSON text can
 * contain.
 */
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
