import { AppError } from '@svcforms/contracts';
import type { AnyDocument, Collection, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { keysetPages } from '@svcforms/primitives';
import type { SecretBox } from '@svcforms/signing';
import { inboundEndpoints, taskCallbacks, userTotp, webhooks, type SealedKind } from './dump/sealed-kinds.ts';

const PAGE_SIZE = 200;
/** Users change secrets while the command runs. More conflicts than this have another cause. */
const TRIES = 5;

/**
 * Seals every stored secret with the first key of the list, unless it already is. It works beside a running product; afterwards
 * the other keys can be removed.
 *
 * @returns the number of documents that were changed
 * @throws SecretBoxError `UNKNOWN_KEY` when a secret was sealed with a key that isn't in the list. Earlier changes stay.
 * @throws AppError `CONFLICT` when somebody keeps changing the secrets of a document
 */
export async function resealSecrets(store: DocumentStore, secretBox: SecretBox): Promise<number> {
  return (
    (await reseal(webhooks)) +
    (await reseal(inboundEndpoints)) +
    (await reseal(taskCallbacks)) +
    (await reseal(userTotp))
  );

  async function reseal<T extends StoredDocument>(kind: SealedKind<T>): Promise<number> {
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
    let changed = 0;
    for await (const page of pages) for (const doc of page) if (await resealOne(doc)) changed += 1;
    return changed;

    async function resealOne(read: T): Promise<boolean> {
      const { _id } = read;
      let current: T | null = read;
      for (let tries = 0; tries < TRIES; tries++) {
        if (!current || !kind.sealed(current).some((sealed) => secretBox.needsResealing(sealed)))
          return false;
        const context = kind.context(_id);
        const again = (sealed: string) => secretBox.seal(secretBox.open(sealed, context), context);
        const changes = { $set: kind.replaced(current, again) };
        if (await collection.updateOne({ _id, ...kind.unchanged(current) }, changes)) return true;
        // Changed in the meantime. Other secrets of the document, and the previous one of a rotation, still have the old key.
        current = await collection.findOne({ _id });
      }
      throw new AppError('CONFLICT', `the secrets of ${_id} are being changed; run the command again`);
    }
  }
}
