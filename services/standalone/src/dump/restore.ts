import type { BusEvent } from '@svcforms/contracts';
import type { CollectionSpec, DocumentStore, Filter, StoredDocument } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { ACCOUNTS } from '@svcforms/identity';
import type { SecretBox } from '@svcforms/signing';
import { ERASURES, markRestoreBegun, markRestoreDone, RESTORE_AGAIN } from '@svcforms/records';
import { sealedTextsOf } from './sealed-kinds.ts';
import { COLLECTIONS } from './collections.ts';
import { createErasedCheck, isTombstone, WITH_TOMBSTONES } from './erased.ts';
import {
  checkedLines,
  FORMAT,
  notALine,
  parseLine,
  type Amount,
  type DumpHead,
  type DumpLine,
} from './lines.ts';

/** The limits of a batch: the number of documents, and the characters of their JSON. */
const BATCH_SIZE = 200;
const BATCH_LENGTH = 2 * 1024 ** 2;
const EVENT_BATCH_SIZE = 100;
const EPOCH = new Date(0).toISOString();

export interface RestoreDeps {
  store: Pick<DocumentStore, 'collection' | 'ensureIndexes'>;
  bus: Pick<EventBus, 'publish' | 'publishedSince'>;
  secretBox: Pick<SecretBox, 'open'>;
  /**
   * Lines of later dumps and exports of erasures, verified before. What they list as erased is left
   * out.
   */
  erasures?: readonly AsyncIterable<string>[];
}

/**
 * Restores a dump into a store that is empty or contains only tombstones, which stay: what they
 * name is left out. Unread events are published in order, unless the log has them already because
 * it is the dumped one.
 * @throws Error when the store isn't empty, or `lines` aren't a dump, are from a newer version, or
 * are truncated (the store is incomplete then); SecretBoxError `UNKNOWN_KEY` before storing a
 * secret that no key opens; StoreError, EventBusError
 */
export async function restore(lines: AsyncIterable<string>, deps: RestoreDeps): Promise<Amount> {
  const state = { hasStored: false };
  try {
    return await restoreLines(lines, deps, state);
  } catch (error) {
    if (!state.hasStored || !(error instanceof Error)) throw error;
    throw Object.assign(error, { message: `${error.message}; the store is incomplete: ${RESTORE_AGAIN}` });
  }
}

/** @param state `hasStored` becomes true before anything is stored */
async function restoreLines(
  lines: AsyncIterable<string>,
  deps: RestoreDeps,
  state: { hasStored: boolean },
): Promise<Amount> {
  const { store, bus, secretBox } = deps;
  const amount: Amount = { documents: 0, events: 0 };
  const collections = new Map(COLLECTIONS.map((spec) => [spec.name, spec]));
  const erased = createErasedCheck(store);
  const inLog = new Map<string, Promise<Set<string>>>();
  let head: DumpLine | undefined;
  let end: Amount | undefined;
  let lineNumber = 0;
  let length = 0;
  let from = '';
  let documents: StoredDocument[] = [];
  let events: BusEvent[] = [];

  async function begin(): Promise<void> {
    if (state.hasStored) return;
    await markRestoreBegun(store);
    state.hasStored = true;
  }

  async function storeDocuments(): Promise<void> {
    const spec = collections.get(from);
    if (spec && documents.length > 0) {
      const allowed = await erased.documents(from, documents);
      for (const document of allowed)
        for (const { sealed, context } of sealedTextsOf(from, document)) secretBox.open(sealed, context);
      await begin();
      // Duplicates were read twice, or replaced by another document during the dump.
      const { inserted } = await store.collection<StoredDocument>(spec).insertMany(allowed);
      amount.documents += inserted.length;
    }
    [documents, length] = [[], 0];
  }

  async function publishEvents(): Promise<void> {
    const published = (await erased.events(events)).map(async (event) => {
      const { accountId } = event;
      if (!inLog.has(accountId)) inLog.set(accountId, bus.publishedSince(accountId, EPOCH));
      return (await inLog.get(accountId))?.has(event.id) ? null : event;
    });
    const missing = (await Promise.all(published)).filter((event) => event !== null);
    if (missing.length > 0) await begin();
    await Promise.all(missing.map((event) => bus.publish(event)));
    amount.events += missing.length;
    events = [];
  }

  for await (const text of checkedLines(lines)) {
    lineNumber += 1;
    const line = parseLine(text, lineNumber);
    if (!head) {
      checkHead(line, collections);
      head = line;
      await prepareEmpty(store);
      for (const each of deps.erasures ?? []) await importTombstones(each, store);
    } else if ('document' in line) {
      if (line.in !== from) {
        await storeDocuments();
        from = line.in;
      }
      documents.push(line.document);
      length += text.length;
      if (documents.length >= BATCH_SIZE || length >= BATCH_LENGTH) await storeDocuments();
    } else if ('event' in line) {
      await storeDocuments();
      events.push(line.event);
      if (events.length >= EVENT_BATCH_SIZE) await publishEvents();
    } else if ('end' in line) {
      end = line.end;
    } else {
      throw notALine(lineNumber);
    }
  }
  await storeDocuments();
  await publishEvents();
  if (!end) {
    throw new Error(
      head ? `the dump is truncated after line ${lineNumber}` : 'the input is empty, not a dump',
    );
  }
  await markRestoreDone(store);
  return amount;
}

/** @throws Error for another format, and for collections that this version doesn't know. */
function checkHead(line: DumpLine, known: ReadonlyMap<string, CollectionSpec>): void {
  if (!('svcformsDump' in line)) throw new Error('line 1 is not the head of a dump');
  if (line.account) {
    throw new Error(`this is the export of ${line.account.id}, not a dump: use "account import"`);
  }
  checkVersion(line, known);
}

/** @throws Error for another format, and for collections that this version doesn't know. */
export function checkVersion(
  line: DumpHead,
  known: Pick<ReadonlyMap<string, CollectionSpec>, 'has'>,
  file = 'the dump',
): void {
  const foreign = line.collections.filter((name) => !known.has(name));
  if (line.svcformsDump > FORMAT || foreign.length > 0) {
    const what =
      foreign.length > 0 ? `it contains ${foreign.join(', ')}` : `its format is ${line.svcformsDump}`;
    throw new Error(`a newer version created ${file} (${what}): restore it with that version`);
  }
}

/** Creates the indexes, which enforce unique keys. @throws Error when the store isn't empty */
async function prepareEmpty(store: RestoreDeps['store']): Promise<void> {
  for (const spec of COLLECTIONS) {
    if (spec === ERASURES) continue;
    if (await store.collection(spec).findOne(noTombstone(spec))) {
      throw new Error(
        `the store is not empty (${spec.name}): restore a dump before the product first starts on it; after a restore that failed or was interrupted, ${RESTORE_AGAIN}`,
      );
    }
  }
  await store.ensureIndexes();
}

/** Finds documents that aren't tombstones. */
function noTombstone({ name }: CollectionSpec): Filter {
  if (name === ACCOUNTS.name) return { erasedAt: null };
  return WITH_TOMBSTONES.some((spec) => spec.name === name) ? { accountId: { $ne: '' } } : {};
}

/**
 * @throws Error for another format, and for collections that this version doesn't know: it may not
 * find all tombstones
 */
function checkErasuresHead(line: DumpLine): void {
  if (!('svcformsDump' in line)) throw new Error('the file of erasures is not a dump');
  checkVersion(line, new Map(COLLECTIONS.map((spec) => [spec.name, spec])), 'the file of erasures');
}

/** Stores the tombstones of a dump. @throws Error for other input */
async function importTombstones(lines: AsyncIterable<string>, store: RestoreDeps['store']): Promise<void> {
  const specs = new Map(WITH_TOMBSTONES.map((spec) => [spec.name, spec]));
  let number = 0;
  for await (const text of checkedLines(lines)) {
    number += 1;
    const line = parseLine(text, number);
    if (number === 1) checkErasuresHead(line);
    if (!('document' in line) || !isTombstone(line.in, line.document)) continue;
    const spec = specs.get(line.in);
    if (spec) await store.collection<StoredDocument>(spec).insertMany([line.document]);
  }
}
