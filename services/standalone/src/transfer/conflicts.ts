import { AppError } from '@svcforms/contracts';
import type { CollectionSpec, DocumentStore, Filter, StoredDocument } from '@svcforms/document-store';
import { API_KEYS, spellingsOfSubject, USERS } from '@svcforms/identity';
import { ERASURES, FORMS, type ErasureRecord } from '@svcforms/records';
import { COLLECTIONS } from '../dump/collections.ts';

const BATCH_SIZE = 200;
const SHOWN = 5;

/** The fields, besides `_id`, that no two documents of all accounts may share. */
const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  [USERS.name]: ['email', 'oidcSubject', 'slackUser'],
  [API_KEYS.name]: ['hash'],
};

type Fields = StoredDocument & Record<string, unknown>;

/** Compares the documents of an export with those of this installation. */
export function createConflictCheck(
  store: Pick<DocumentStore, 'collection'>,
  { accountId, isResumed }: { accountId: string; isResumed: boolean },
) {
  const conflicts: string[] = [];
  const deleted: string[] = [];
  let hasEmailConflict = false;
  const batches = new Map<string, Fields[]>();

  async function check(spec: CollectionSpec, batch: readonly Fields[]): Promise<void> {
    if (spec.name === FORMS.name) await checkDeleted(batch);
    const collection = store.collection<StoredDocument>(spec);
    for (const field of ['_id', ...(UNIQUE[spec.name] ?? [])]) {
      const values = batch.flatMap((document) => spellingsOf(field, document[field]));
      if (values.length === 0) continue;
      const found = (await collection.find({ [field]: { $in: values } } as Filter)) as Fields[];
      for (const document of found) {
        if (isResumed && isOfThisImport(document)) continue;
        conflicts.push(conflictText(spec, field, document));
        hasEmailConflict ||= field === 'email';
      }
    }
  }

  /**
   * The first account gets another id with each export, so only its forms show that it was deleted
   * here. A later restore, and the fan-out of late events, would leave out what belongs to them.
   */
  async function checkDeleted(forms: readonly Fields[]): Promise<void> {
    const ids = forms.map(({ _id }) => _id);
    const found = await store.collection<ErasureRecord>(ERASURES).find({ _id: { $in: ids } });
    for (const { _id, accountId: owner } of found) if (!(isResumed && owner === accountId)) deleted.push(_id);
  }

  /** The interrupted import stored it. Some documents don't name their account. */
  function isOfThisImport({ accountId: owner = accountId }: Fields): boolean {
    return owner === accountId || owner === '';
  }

  return {
    async add(name: string, document: StoredDocument): Promise<void> {
      const batch = batches.get(name) ?? [];
      batch.push(document as Fields);
      batches.set(name, batch);
      if (batch.length < BATCH_SIZE) return;
      batches.delete(name);
      const spec = COLLECTIONS.find((each) => each.name === name);
      if (spec) await check(spec, batch);
    },

    /** @throws AppError `CONFLICT` that names the first conflicts */
    async finish(): Promise<void> {
      for (const spec of COLLECTIONS) await check(spec, batches.get(spec.name) ?? []);
      batches.clear();
      if (deleted.length > 0) {
        throw new AppError(
          'CONFLICT',
          `forms ${shown(deleted)} were deleted in this installation, and deleted data does not come back; nothing was imported`,
        );
      }
      const unique = [...new Set(conflicts)];
      if (unique.length === 0) return;
      const hint = hasEmailConflict
        ? "; two users can't have the same email: change it here and import again, or change it in the other installation, export and import again"
        : '';
      throw new AppError(
        'CONFLICT',
        `this installation already has ${shown(unique)}${hint}; nothing was imported`,
      );
    },
  };
}

const shown = (all: readonly string[]): string =>
  `${all.slice(0, SHOWN).join(', ')}${all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''}`;

/** The values that conflict with a value of the field. */
function spellingsOf(field: string, value: unknown): unknown[] {
  if (value === undefined) return [];
  return field === 'oidcSubject' && typeof value === 'string' ? spellingsOfSubject(value) : [value];
}

function conflictText({ name }: CollectionSpec, field: string, document: Fields): string {
  const owner =
    typeof document['accountId'] === 'string' && document['accountId'] !== ''
      ? ` of ${document['accountId']}`
      : '';
  // Hashes of keys say nothing to a reader.
  const value =
    field === 'email'
      ? ` with the email ${String(document[field])}`
      : field === 'oidcSubject'
        ? ' with the same login at the identity provider'
        : field === 'slackUser'
          ? ' with the same Slack user'
          : '';
  return `${name} ${document._id}${value}${owner}`;
}
