import type { BusEvent } from '@svcforms/contracts';
import type { DocumentStore, StoredDocument } from '@svcforms/document-store';
import type { AccountRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { DELIVERIES, SUBMISSIONS, TASKS, type SubmissionRecord, type TaskRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { randomBytes } from 'node:crypto';
import { submissionSince, type DumpDeps } from '../dump/dump.ts';
import { createLineWriter, FORMAT, type Amount, type DumpLine } from '../dump/lines.ts';
import { sealedTextsOf } from '../dump/sealed-kinds.ts';
import { unreadEvents, type UnreadEvents } from '../dump/unread-events.ts';
import { OWNED, ownedDocuments, ownedIds } from './owned-collections.ts';
import { proofOf, transferBox } from './transfer-key.ts';

interface ExportDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: DumpDeps['bus'];
  secretBox: Pick<SecretBox, 'open'>;
  /** Seals the secrets of the file. */
  passphrase: string;
  now: Clock;
}

/**
 * Writes one account in the format of a dump: what it owns, and its events that may not have been
 * read. Its secrets are sealed with a key of the passphrase, because another installation has
 * another encryption key. docs/adr/0061
 * @throws SecretBoxError when a secret can't be opened; StoreError, EventBusError
 */
export async function* exportAccount(
  { store, bus, secretBox, passphrase, now }: ExportDeps,
  account: Pick<AccountRecord, '_id' | 'name'>,
): AsyncGenerator<string, Amount> {
  const { line, end, amount } = createLineWriter();
  const salt = randomBytes(16).toString('base64');
  const box = transferBox(passphrase, salt);
  const startedAt = now();
  let events: UnreadEvents | undefined;
  yield line({
    svcformsDump: FORMAT,
    at: isoTime(startedAt),
    collections: OWNED.map(({ spec }) => spec.name),
    account: { id: account._id, name: account.name, salt, proof: proofOf(box) },
  });

  /** Seals the secrets of a document for the file. Sealed texts need no escaping in JSON. */
  function resealed(collection: string, document: StoredDocument): DumpLine {
    let json = JSON.stringify(document);
    for (const { sealed, context } of sealedTextsOf(collection, document)) {
      json = json.replaceAll(sealed, box.seal(secretBox.open(sealed, context), context));
    }
    return { in: collection, document: JSON.parse(json) as StoredDocument };
  }

  async function* ownEvents(events: AsyncIterable<BusEvent> | undefined): AsyncGenerator<string> {
    for await (const event of events ?? []) if (event.accountId === account._id) yield line({ event });
  }

  const ids = await ownedIds(store, account._id);
  for (const owned of OWNED) {
    if (owned.spec === DELIVERIES) events = await unreadEvents(bus);
    const madeByTasks: string[] = [];
    for await (const document of ownedDocuments(store, owned, ids)) {
      if (owned.spec === TASKS)
        madeByTasks.push(...submissionsToReadAgain(document as TaskRecord, startedAt));
      yield line(resealed(owned.spec.name, document));
      yield* ownEvents(events?.afterDocument());
    }
    for (const _id of madeByTasks) {
      const document = await store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id });
      if (document) yield line({ in: SUBMISSIONS.name, document });
    }
  }
  yield* ownEvents(events?.upToNow());
  yield end();
  return amount;
}

/**
 * A submission that was stored after the submissions were read, or the tombstone of an erased one,
 * which names no account.
 */
function submissionsToReadAgain(task: TaskRecord, startedAt: number): string[] {
  const { erasedAt, submissionId } = task;
  const isErased = erasedAt !== undefined && submissionId !== undefined;
  return isErased ? [submissionId] : submissionSince(task, startedAt);
}
