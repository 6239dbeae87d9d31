import { AppError, FIRST_ULID, ulidTime } from '@svcforms/contracts';
import type { CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { ACCOUNTS, API_KEYS, USERS, type AccountRecord } from '@svcforms/identity';
import { derivedId, isoTime, type Clock } from '@svcforms/primitives';
import {
  ERASURES,
  isErased,
  MAIL_COUNTERS,
  SUBMISSIONS,
  TASKS,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { MAILS } from '@svcforms/webhook-dispatcher/collections';
import { COLLECTIONS } from '../dump/collections.ts';
import { parseLine, verifyDump, type DumpHead } from '../dump/lines.ts';
import { checkVersion } from '../dump/restore.ts';
import { sealedTextsOf } from '../dump/sealed-kinds.ts';
import { atRest, isInProgress } from './at-rest.ts';
import { createConflictCheck } from './conflicts.ts';
import { createPendingEvents } from './pending-events.ts';
import { checkPassphrase, transferBox } from './transfer-key.ts';

const BATCH_SIZE = 200;
const BATCH_LENGTH = 2 * 1024 ** 2;
/** The first account of every installation has these ids. */
const FIXED_ID = new RegExp(`\\b(acc|usr|key)_${FIRST_ULID}\\b`, 'g');

/**
 * The order in which collections are stored, because the product may be running: configuration
 * first, then what work refers to, then the work, and last the users and keys. Others are part of
 * the first group.
 */
const LATER_GROUPS: readonly (readonly string[])[] = [
  [SUBMISSIONS.name, TASKS.name],
  [MAILS.name, MAIL_COUNTERS.name],
  [USERS.name, API_KEYS.name],
];

export interface ImportDeps {
  store: DocumentStore;
  /** Seals the secrets in this installation. */
  secretBox: Pick<SecretBox, 'seal'>;
  passphrase: string;
  /**
   * Whether work in progress goes on here. Otherwise it ends here, because the other installation
   * continues it.
   */
  continues: boolean;
  now: Clock;
}

/** What an import has done. */
export interface ImportedAccount {
  id: string;
  /** The id in the export. */
  originalId: string;
  name: string;
  /** The number of stored documents. */
  documents: number;
  /** Deliveries, tasks and emails that weren't finished. */
  inProgress: number;
}

/**
 * Adds an exported account to this installation. It checks everything before it stores anything. An
 * import that was interrupted continues when it is repeated with the same file, and the users and
 * keys of the account come last.
 *
 * @param open reads the lines of the export from their beginning, each time that it is called
 * @throws AppError `CONFLICT` when the account, another id, or the email of a user exists here;
 * Error when the file is damaged, or the passphrase is wrong; StoreError
 */
export async function importAccount(
  open: () => AsyncIterable<string>,
  deps: ImportDeps,
): Promise<ImportedAccount> {
  const { store, continues, now } = deps;
  const { head, sha256 = '', ...size } = await verifyDump(open());
  const importing = `${sha256}|${continues ? 'continue' : 'at rest'}`;
  const account = accountIn(head);
  const transport = transferBox(deps.passphrase, account.salt);
  checkPassphrase(transport, account.proof);

  const rename = renaming(account);
  const id = rename(account.id);
  const specs = new Map(COLLECTIONS.map((spec) => [spec.name, spec]));
  for (const spec of COLLECTIONS) store.collection(spec);
  await store.ensureIndexes();
  const isResumed = await checkAccount(store, { id, importing });
  const events = createPendingEvents();
  const conflicts = createConflictCheck(store, { accountId: id, isResumed });
  for await (const { collection, document, event } of linesIn(open(), rename)) {
    if (event) events.add(event);
    if (document && collection !== ACCOUNTS.name) await conflicts.add(collection, document);
  }
  await conflicts.finish();

  const at = isoTime(now());
  const imported: ImportedAccount = {
    id,
    originalId: account.id,
    name: account.name,
    documents: size.documents,
    inProgress: 0,
  };

  /** The document as it is stored here; `null` if it isn't. */
  function converted(collection: string, original: string): StoredDocument | null {
    const line = parseLine(original, 0);
    if (!('document' in line)) return null;
    let json = rename(original);
    for (const { sealed, context } of sealedTextsOf(collection, line.document)) {
      json = json.replaceAll(sealed, deps.secretBox.seal(transport.open(sealed, context), rename(context)));
    }
    const { document } = parseLine(json, 0) as { document: StoredDocument };
    if (isInProgress(collection, document)) imported.inProgress += 1;
    if (!continues) return atRest(collection, document, at);
    const isOpen = collection === SUBMISSIONS.name || collection === TASKS.name;
    if (!isOpen || isErased(document as SubmissionRecord)) return document;
    return withNewButtons(events.addTo(document), at);
  }

  async function storeGroup(isIncluded: (collection: string) => boolean): Promise<void> {
    let [from, length] = ['', 0];
    let batch: StoredDocument[] = [];
    const flush = async () => {
      const spec = specs.get(from);
      if (spec && batch.length > 0) await insertBatch(store, spec, { batch, accountId: id });
      [batch, length] = [[], 0];
    };
    for await (const text of open()) {
      const collection = collectionOf(text);
      if (collection === undefined || collection === ACCOUNTS.name || !isIncluded(collection)) continue;
      if (collection !== from) {
        await flush();
        from = collection;
      }
      const document = converted(collection, text);
      if (document) batch.push(document);
      length += text.length;
      if (batch.length >= BATCH_SIZE || length >= BATCH_LENGTH) await flush();
    }
    await flush();
  }

  if (!isResumed) await storeAccount(store, { open, rename, importing });
  await storeGroup((collection) => !LATER_GROUPS.some((group) => group.includes(collection)));
  for (const group of LATER_GROUPS) await storeGroup((collection) => group.includes(collection));
  await store
    .collection<AccountRecord>(ACCOUNTS)
    .updateOne({ _id: id, importing }, { $unset: { importing: true } });
  return imported;
}

/**
 * What the head says about its account. @throws Error for a dump of a whole installation, or of a
 * newer version
 */
function accountIn(head: DumpHead): NonNullable<DumpHead['account']> {
  if (!head.account) {
    throw new Error('this is a dump of a whole installation, not the export of an account: use "restore"');
  }
  checkVersion(head, new Map(COLLECTIONS.map((spec) => [spec.name, spec])));
  return head.account;
}

/**
 * Gives the account, the user and the key of a first start ids of their own: every installation has
 * them. They are derived from the export, so that an import that is repeated uses the same.
 */
function renaming({ salt }: { salt: string }): (text: string) => string {
  const time = ulidTime(Date.UTC(2020, 0, 1));
  return (text) =>
    text.replaceAll(FIXED_ID, (id, prefix: 'acc' | 'usr' | 'key') =>
      derivedId(prefix, time, `${salt}|${id}`),
    );
}

/** Has the Slack message of an awaiting task updated: this installation seals its buttons. */
function withNewButtons(document: StoredDocument, at: string): StoredDocument {
  const { status, slack } = document as TaskRecord;
  return status === 'awaiting' && slack?.ts !== undefined
    ? Object.assign(document, { slackDue: at })
    : document;
}

/** Whether an interrupted import of this file continues. @throws AppError `CONFLICT` */
async function checkAccount(
  store: DocumentStore,
  { id, importing }: { id: string; importing: string },
): Promise<boolean> {
  const refused = (reason: string) => new AppError('CONFLICT', `${reason}; nothing was imported`);
  if (await store.collection(ERASURES).findOne({ _id: id })) {
    throw refused(`${id} was deleted in this installation, and deleted data does not come back`);
  }
  const found = await store.collection<AccountRecord>(ACCOUNTS).findOne({ _id: id });
  if (!found) return false;
  if (found.importing === importing) return true;
  throw refused(
    found.importing === undefined
      ? `this installation has ${id} (${found.name}) already`
      : `the import of ${id} from another export, or with another --continue, was interrupted: repeat it with that file and option`,
  );
}

async function storeAccount(
  store: DocumentStore,
  {
    open,
    rename,
    importing,
  }: { open: () => AsyncIterable<string>; rename: (text: string) => string; importing: string },
): Promise<void> {
  for await (const { collection, document } of linesIn(open(), rename)) {
    if (collection !== ACCOUNTS.name || !document) continue;
    const { bootstrappedAt: _, ...account } = document as AccountRecord;
    await store.collection<AccountRecord>(ACCOUNTS).insertOne({ ...account, importing });
    return;
  }
  throw new Error('the export contains no account');
}

/**
 * Stores documents. Those that exist were stored by the interrupted import. @throws AppError
 * `CONFLICT` if they weren't
 */
async function insertBatch(
  store: DocumentStore,
  spec: CollectionSpec,
  { batch, accountId }: { batch: readonly StoredDocument[]; accountId: string },
): Promise<void> {
  const collection = store.collection<StoredDocument>(spec);
  const { duplicates } = await collection.insertMany(batch);
  if (duplicates.length === 0) return;
  const found = await collection.find({ _id: { $in: duplicates } });
  const own = found.filter((document) => {
    const { accountId: owner = accountId } = document as { accountId?: string };
    return owner === accountId || owner === '';
  });
  if (own.length < new Set(duplicates).size) {
    throw new AppError(
      'CONFLICT',
      `${spec.name} ${duplicates.join(', ')} were created here during the import; remove them and repeat it`,
    );
  }
}

/** The collection of a line with a document, without parsing it. */
function collectionOf(text: string): string | undefined {
  return /^\{"in":"(\w+)","document":/.exec(text)?.[1];
}

async function* linesIn(lines: AsyncIterable<string>, rename: (text: string) => string) {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = parseLine(rename(text), number);
    if ('document' in line) yield { collection: line.in, document: line.document, event: undefined };
    if ('event' in line) yield { collection: '', document: undefined, event: line.event };
  }
}
