import type { CollectionSpec, Filter, StoredDocument, Update } from '@svcforms/document-store';
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

/** Where a collection keeps sealed secrets. */
export interface SealedKind<T extends StoredDocument> {
  spec: CollectionSpec<T>;
  context: (id: string) => string;
  /** Every sealed text of a document. */
  sealed: (doc: T) => string[];
  /** The fields that hold them, each text replaced by `again` of it. */
  replaced: (doc: T, again: (sealed: string) => string) => Update<T>['$set'];
  /** Matches while none of them was changed. */
  unchanged: (doc: T) => Filter<T>;
}

export const webhooks: SealedKind<WebhookRecord> = {
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

export const inboundEndpoints: SealedKind<InboundEndpointRecord> = {
  spec: INBOUND_ENDPOINTS,
  context: inboundSecretContext,
  sealed: ({ secret }) => (secret === undefined ? [] : [secret]),
  replaced: ({ secret = '' }, again) => ({ secret: again(secret) }),
  unchanged: ({ secret = '' }) => ({ secret }),
};

export const taskCallbacks: SealedKind<TaskRecord> = {
  spec: TASKS,
  context: callbackSecretContext,
  sealed: ({ callback }) => (callback?.secret === undefined ? [] : [callback.secret]),
  replaced: ({ callback }, again) => ({ 'callback.secret': again(callback?.secret ?? '') }),
  unchanged: ({ callback }) => ({ 'callback.secret': callback?.secret ?? '' }),
};

/** Every sealed text of a document of that collection, with what it is bound to. */
export function sealedTextsOf(
  collection: string,
  document: StoredDocument,
): { sealed: string; context: string }[] {
  const of = <T extends StoredDocument>({ spec, context, sealed }: SealedKind<T>) =>
    spec.name === collection
      ? sealed(document as T).map((text) => ({ sealed: text, context: context(document._id) }))
      : [];
  return [...of(webhooks), ...of(inboundEndpoints), ...of(taskCallbacks)];
}
