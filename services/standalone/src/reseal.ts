import type { AnyDocument, Collection, DocumentStore, StoredDocument } from '@svcforms/document-store';
import type { SecretBox } from '@svcforms/signing';
import { inboundEndpoints, taskCallbacks, webhooks, type SealedKind } from './sealed-kinds.ts';

const PAGE_SIZE = 200;

/**
 * Seals every stored secret with the first key of the list that isn't, beside a running product too; then the other keys can be
 * dropped. Gives how many documents were changed.
 * @throws SecretBoxError `UNKNOWN_KEY` when one was sealed with a key that isn't in the list; what was done before stays.
 */
export async function resealSecrets(store: DocumentStore, secretBox: SecretBox): Promise<number> {
  return (await reseal(webhooks)) + (await reseal(inboundEndpoints)) + (await reseal(taskCallbacks));

  async function reseal<T extends StoredDocument>(kind: SealedKind<T>): Promise<number> {
    const collection: Pick<Collection<T, AnyDocument>, 'find' | 'updateOne'> = store.collection<T>(kind.spec);
    let changed = 0;
    let after: string[] | undefined;
    for (;;) {
      const page = await collection.find({}, { sort: ['_id'], limit: PAGE_SIZE, ...(after && { after }) });
      for (const doc of page) if (await resealOne(doc)) changed += 1;
      const last = page.at(-1);
      if (!last || page.length < PAGE_SIZE) return changed;
      after = [last._id];
    }

    async function resealOne(doc: T): Promise<boolean> {
      if (!kind.sealed(doc).some((sealed) => secretBox.needsResealing(sealed))) return false;
      const context = kind.context(doc._id);
      const again = (sealed: string) => secretBox.seal(secretBox.open(sealed, context), context);
      // One that was rotated meanwhile was sealed with the first key by that.
      return collection.updateOne(
        { _id: doc._id, ...kind.unchanged(doc) },
        { $set: kind.replaced(doc, again) },
      );
    }
  }
}
