import { AppError } from '@svcforms/contracts';
import type { AnyDocument, Collection, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { isoTime, keysetPages, type Clock } from '@svcforms/primitives';
import { TASKS, type TaskRecord } from '@svcforms/records';
import { DROPPED_SECRET, isNotOpened, SecretBoxError, type SecretBox } from '@svcforms/signing';
import {
  inboundEndpoints,
  taskCallbacks,
  userTotp,
  webhooks,
  type SealedKind,
} from '../dump/sealed-kinds.ts';

const PAGE_SIZE = 200;
/** Users change secrets while the command runs. More conflicts than this have another cause. */
const TRIES = 5;

/** What resealing has done. */
interface Resealed {
  /** The number of documents that were changed. */
  documents: number;
  /**
   * What is left to do about secrets that were dropped now or earlier, one line for each document.
   */
  remedies: string[];
}

/**
 * Seals every stored secret with the first key of the list, unless it already is, and has the Slack
 * messages of awaiting tasks updated, because their buttons are sealed too. It works beside a
 * running product; afterwards the other keys can be removed.
 *
 * @param options.lostKeys the ids of keys whose secrets are dropped. What needs them keeps failing,
 * as it does while they can't be opened: nothing is sent or accepted without a signature, a header
 * or a second factor
 * @param onDropped is called for each document whose secrets were dropped, even if a later one
 * fails
 * @throws SecretBoxError `UNKNOWN_KEY` when a secret was sealed with a key that isn't in the list.
 * Earlier changes stay.
 * @throws AppError `CONFLICT` when somebody keeps changing the secrets of a document
 */
export async function resealSecrets(
  { store, secretBox, now }: { store: DocumentStore; secretBox: SecretBox; now: Clock },
  { lostKeys = [] }: { lostKeys?: readonly string[] | undefined } = {},
  onDropped: (accountId: string, count: number) => void = () => {},
): Promise<Resealed> {
  const result: Resealed = { documents: 0, remedies: [] };
  await reseal(webhooks);
  await reseal(inboundEndpoints);
  await reseal(taskCallbacks);
  await reseal(userTotp);
  await store
    .collection<TaskRecord>(TASKS)
    .updateMany(
      { status: 'awaiting', 'slack.ts': { $exists: true } },
      { $set: { slackDue: isoTime(now()) } },
    );
  return result;

  async function reseal<T extends StoredDocument & { accountId: string }>(
    kind: SealedKind<T>,
  ): Promise<void> {
    const collection: Pick<
      Collection<T, AnyDocument>,
      'find' | 'findOne' | 'updateOne'
    > = store.collection<T>(kind.spec);
    const pages = keysetPages({
      read: (after?: string[]) =>
        collection.find({}, { sort: ['_id'], limit: PAGE_SIZE, ...(after && { after }) }),
      keyOf: ({ _id }) => [_id],
      pageSize: PAGE_SIZE,
    });
    for await (const page of pages) {
      for (const read of page) {
        const doc = await resealOne(read);
        const remedies = doc ? kind.remedies(doc) : [];
        if (doc && remedies.length > 0)
          result.remedies.push(`${doc._id} of ${doc.accountId}: ${remedies.join('; ')}`);
      }
    }

    /** Returns the document as it is stored afterwards. */
    async function resealOne(read: T): Promise<T | null> {
      const { _id } = read;
      let current: T | null = read;
      for (let tries = 0; tries < TRIES; tries++) {
        if (!current || !kind.sealed(current).some((sealed) => secretBox.needsResealing(sealed)))
          return current;
        const { $set, dropped } = resealed(kind, current);
        if (await collection.updateOne({ _id, ...kind.unchanged(current) }, { $set })) {
          result.documents += 1;
          if (dropped > 0) onDropped(current.accountId, dropped);
          return collection.findOne({ _id });
        }
        // Changed in the meantime. Other secrets of the document, and the previous one of a
        // rotation, still have the old key.
        current = await collection.findOne({ _id });
      }
      throw new AppError('CONFLICT', `the secrets of ${_id} are being changed; run the command again`);
    }
  }

  function resealed<T extends StoredDocument>(kind: SealedKind<T>, doc: T) {
    const context = kind.context(doc._id);
    let dropped = 0;
    const $set = kind.replaced(doc, (sealed) => {
      if (sealed === DROPPED_SECRET) return sealed;
      try {
        return secretBox.seal(secretBox.open(sealed, context), context);
      } catch (error) {
        if (!isNotOpened(error) || error.code !== 'UNKNOWN_KEY') throw error;
        const { keyId = '', message } = error;
        if (!lostKeys.includes(keyId)) {
          const option = `--lost-key ${[...lostKeys, keyId].join()}`;
          throw new SecretBoxError('UNKNOWN_KEY', `${message}, or use ${option} if it is lost`, keyId);
        }
        dropped += 1;
        return DROPPED_SECRET;
      }
    });
    return { $set, dropped };
  }
}
