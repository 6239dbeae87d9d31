import type { CollectionSpec, DocumentStore, Filter, Json, StoredDocument } from '@svcforms/document-store';
import {
  callbackSecretContext,
  INBOUND_ENDPOINTS,
  inboundSecretContext,
  TASKS,
  WEBHOOKS,
  webhookSecretContext,
  type InboundEndpointRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';

const PAGE_SIZE = 200;

/** Where a collection keeps sealed secrets. */
interface SealedKind<T extends StoredDocument> {
  spec: CollectionSpec;
  context: (id: string) => string;
  /** Every sealed text of a document. */
  sealed: (doc: T) => string[];
  /** The fields that hold them, each text replaced by `again` of it. */
  replaced: (doc: T, again: (sealed: string) => string) => Record<string, Json>;
  /** Matches while none of them was changed. */
  unchanged: (doc: T) => Filter;
}

const webhooks: SealedKind<WebhookRecord> = {
  spec: WEBHOOKS,
  context: webhookSecretContext,
  sealed: ({ secret, previousSecrets = [] }) => [secret, ...previousSecrets.map((each) => each.secret)],
  replaced: ({ secret, previousSecrets }, again) => ({
    secret: again(secret),
    ...(previousSecrets && {
      previousSecrets: previousSecrets.map(({ secret: previous, until }) => ({
        secret: again(previous),
        until,
      })),
    }),
  }),
  unchanged: ({ secret }) => ({ secret }),
};

const inboundEndpoints: SealedKind<InboundEndpointRecord> = {
  spec: INBOUND_ENDPOINTS,
  context: inboundSecretContext,
  sealed: ({ secret }) => (secret === undefined ? [] : [secret]),
  replaced: ({ secret = '' }, again) => ({ secret: again(secret) }),
  unchanged: ({ secret = '' }) => ({ secret }),
};

const taskCallbacks: SealedKind<TaskRecord> = {
  spec: TASKS,
  context: callbackSecretContext,
  sealed: ({ callback }) => (callback?.secret === undefined ? [] : [callback.secret]),
  replaced: ({ callback }, again) => ({ 'callback.secret': again(callback?.secret ?? '') }),
  unchanged: ({ callback }) => ({ 'callback.secret': callback?.secret ?? '' }),
};

/**
 * Seals every stored secret with the first key of the list that isn't, beside a running product too; then the other keys can be
 * dropped. Gives how many documents were changed.
 * @throws SecretBoxError `UNKNOWN_KEY` when one was sealed with a key that isn't in the list; what was done before stays.
 */
export async function resealSecrets(store: DocumentStore, secretBox: SecretBox): Promise<number> {
  return (await reseal(webhooks)) + (await reseal(inboundEndpoints)) + (await reseal(taskCallbacks));

  async function reseal<T extends StoredDocument>(kind: SealedKind<T>): Promise<number> {
    const collection = store.collection<T>(kind.spec);
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
