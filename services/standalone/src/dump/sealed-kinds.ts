import type { CollectionSpec, Filter, StoredDocument, Update } from '@svcforms/document-store';
import { totpSecretContext, USERS, type UserRecord } from '@svcforms/identity';
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

/** The sealed secrets of a collection. */
export interface SealedKind<T extends StoredDocument> {
  spec: CollectionSpec<T>;
  context: (id: string) => string;
  /** Returns the sealed texts of a document. */
  sealed: (doc: T) => string[];
  /** Returns the fields with sealed texts, each resealed. */
  replaced: (doc: T, reseal: (sealed: string) => string) => Update<T>['$set'];
  /** A filter that matches while none of them has changed. */
  unchanged: (doc: T) => Filter<T>;
}

export const webhooks: SealedKind<WebhookRecord> = {
  spec: WEBHOOKS,
  context: webhookSecretContext,
  sealed: ({ secret, previousSecrets = [], headers, signingKey }) => [
    secret,
    ...previousSecrets.map((each) => each.secret),
    ...(headers ? [headers.sealed] : []),
    ...(signingKey ? [signingKey.privateKey] : []),
  ],
  replaced: ({ secret, previousSecrets, headers, signingKey }, reseal) => ({
    secret: reseal(secret),
    ...(previousSecrets && {
      previousSecrets: previousSecrets.map(({ secret: previous, until }) => ({
        secret: reseal(previous),
        until,
      })),
    }),
    ...(headers && { 'headers.sealed': reseal(headers.sealed) }),
    ...(signingKey && { 'signingKey.privateKey': reseal(signingKey.privateKey) }),
  }),
  unchanged: ({ secret, headers, signingKey }) => ({
    secret,
    'headers.sealed': headers?.sealed ?? null,
    'signingKey.privateKey': signingKey?.privateKey ?? null,
  }),
};

export const inboundEndpoints: SealedKind<InboundEndpointRecord> = {
  spec: INBOUND_ENDPOINTS,
  context: inboundSecretContext,
  sealed: ({ secret }) => (secret === undefined ? [] : [secret]),
  replaced: ({ secret = '' }, reseal) => ({ secret: reseal(secret) }),
  unchanged: ({ secret = '' }) => ({ secret }),
};

export const userTotp: SealedKind<UserRecord> = {
  spec: USERS,
  context: totpSecretContext,
  sealed: ({ totp, totpPending }) => [totp?.secret, totpPending].filter((secret) => secret !== undefined),
  replaced: ({ totp, totpPending }, reseal) => ({
    ...(totp && { 'totp.secret': reseal(totp.secret) }),
    ...(totpPending !== undefined && { totpPending: reseal(totpPending) }),
  }),
  unchanged: ({ totp, totpPending }) => ({
    'totp.secret': totp?.secret ?? null,
    totpPending: totpPending ?? null,
  }),
};

export const taskCallbacks: SealedKind<TaskRecord> = {
  spec: TASKS,
  context: callbackSecretContext,
  sealed: ({ callback }) => (callback?.secret === undefined ? [] : [callback.secret]),
  replaced: ({ callback }, reseal) => ({ 'callback.secret': reseal(callback?.secret ?? '') }),
  unchanged: ({ callback }) => ({ 'callback.secret': callback?.secret ?? '' }),
};

/** Returns the sealed texts of a document of that collection, each with its context. */
export function sealedTextsOf(
  collection: string,
  document: StoredDocument,
): { sealed: string; context: string }[] {
  const of = <T extends StoredDocument>({ spec, context, sealed }: SealedKind<T>) =>
    spec.name === collection
      ? sealed(document as T).map((text) => ({ sealed: text, context: context(document._id) }))
      : [];
  return [...of(webhooks), ...of(inboundEndpoints), ...of(taskCallbacks), ...of(userTotp)];
}
