import type { AnyDocument, Collection, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { keysetPages } from '@svcforms/primitives';
import type { SecretBox } from '@svcforms/signing';
import { inboundEndpoints, taskCallbacks, userTotp, webhooks, type SealedKind } from './dump/sealed-kinds.ts';

const PAGE_SIZE = 200;

/**
 * Seals every stored secret with the first key of the list, unless it already is. It works beside a running product; afterwards
 * the other keys can be removed.
 *
 * @returns the number of documents that were changed
 * @throws SecretBoxError `UNKNOWN_KEY` when a secret was sealed with a key that isn't in the list. Earlier changes stay.
 */
export async function resealSecrets(store: DocumentStore, secretBox: SecretBox): Promise<number> {
  return (
    (await reseal(webhooks)) +
    (await reseal(inboundEndpoints)) +
    (await reseal(taskCallbacks)) +
    (await reseal(userTotp))
  );

  async function reseal<T extends StoredDocument>(kind: SealedKind<T>): Promise<number> {
    const collection: Pick<Collection<T, AnyDocument>, 'find' | 'updateOne'> = store.collection<T>(kind.spec);
    const pages = keysetPages({
      read: (after?: string[]) =>
        collection.find({}, { sort: ['_id'], limit: PAGE_SIZE, ...(after && { after }) }),
      keyOf: ({ _id }) => [_id],
      pageSize: PAGE_SIZE,
    });
    let changed = 0;
    for await (const page of pages) for (const doc of page) if (await resealOne(doc)) changed += 1;
    return changed;

    async function resealOne(doc: T): Promise<boolean> {
      if (!kind.sealed(doc).some((sealed) => secretBox.needsResealing(sealed))) return false;
      const context = kind.context(doc._id);
      const again = (sealed: string) => secretBox.seal(secretBox.open(sealed, context), context);
      // A secret that was rotated in the meantime is sealed with the first key already.
      return collection.updateOne(
        { _id: doc._id, ...kind.unchanged(doc) },
        { $set: kind.replaced(doc, again) },
      );
    }
  }
}
