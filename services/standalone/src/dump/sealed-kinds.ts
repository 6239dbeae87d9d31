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
import { DROPPED_SECRET } from '@svcforms/signing';

/** The sealed secrets of a collection. */
export interface SealedKind<T extends StoredDocument> {
  spec: CollectionSpec<T>;
  context: (id: string) => string;
  /** Returns the sealed texts of a document, without the dropped ones. */
  sealed: (doc: T) => string[];
  /** Returns the fields with sealed texts, each resealed. */
  replaced: (doc: T, reseal: (sealed: string) => string) => Update<T>['$set'];
  /** A filter that matches while none of them has changed. */
  unchanged: (doc: T) => Filter<T>;
  /** Returns what somebody has to do so that the document works without its dropped secrets. */
  remedies: (doc: T) => string[];
}

const textsOf = (...texts: (string | undefined)[]): string[] =>
  texts.filter((text) => text !== undefined && text !== DROPPED_SECRET) as string[];

const remediesOf = (...secrets: [text: string | undefined, remedy: string][]): string[] =>
  secrets.filter(([text]) => text === DROPPED_SECRET).map(([, remedy]) => remedy);

export const webhooks: SealedKind<WebhookRecord> = {
  spec: WEBHOOKS,
  context: webhookSecretContext,
  sealed: ({ secret, previousSecrets = [], headers, signingKey }) =>
    textsOf(secret, ...previousSecrets.map((each) => each.secret), headers?.sealed, signingKey?.privateKey),
  replaced: ({ secret, previousSecrets, headers, signingKey }, reseal) => ({
    secret: reseal(secret),
    // A dropped one would fail every request until it expires. The current secret signs without it.
    ...(previousSecrets && {
      previousSecrets: previousSecrets
        .map(({ secret: previous, until }) => ({ secret: reseal(previous), until }))
        .filter((previous) => previous.secret !== DROPPED_SECRET),
    }),
    ...(headers && { 'headers.sealed': reseal(headers.sealed) }),
    ...(signingKey && { 'signingKey.privateKey': reseal(signingKey.privateKey) }),
  }),
  unchanged: ({ secret, headers, signingKey }) => ({
    secret,
    'headers.sealed': headers?.sealed ?? null,
    'signingKey.privateKey': signingKey?.privateKey ?? null,
  }),
  remedies: ({ secret, headers, signingKey }) =>
    remediesOf(
      [secret, 'rotate its secret'],
      [headers?.sealed, 'send its custom headers again'],
      [signingKey?.privateKey, 'turn its public-key signature off and on'],
    ),
};

export const inboundEndpoints: SealedKind<InboundEndpointRecord> = {
  spec: INBOUND_ENDPOINTS,
  context: inboundSecretContext,
  sealed: ({ secret }) => textsOf(secret),
  replaced: ({ secret = '' }, reseal) => ({ secret: reseal(secret) }),
  unchanged: ({ secret = '' }) => ({ secret }),
  remedies: ({ secret }) => remediesOf([secret, 'set a new secret']),
};

export const userTotp: SealedKind<UserRecord> = {
  spec: USERS,
  context: totpSecretContext,
  sealed: ({ totp, totpPending }) => textsOf(totp?.secret, totpPending),
  replaced: ({ totp, totpPending }, reseal) => ({
    ...(totp && { 'totp.secret': reseal(totp.secret) }),
    ...(totpPending !== undefined && { totpPending: reseal(totpPending) }),
  }),
  unchanged: ({ totp, totpPending }) => ({
    'totp.secret': totp?.secret ?? null,
    totpPending: totpPending ?? null,
  }),
  remedies: ({ totp, email }) =>
    remediesOf([
      totp?.secret,
      `log in with a recovery code and set up two-factor authentication again, or run "user remove-totp ${email}"`,
    ]),
};

export const taskCallbacks: SealedKind<TaskRecord> = {
  spec: TASKS,
  context: callbackSecretContext,
  sealed: ({ callback }) => textsOf(callback?.secret),
  replaced: ({ callback }, reseal) => ({ 'callback.secret': reseal(callback?.secret ?? '') }),
  unchanged: ({ callback }) => ({ 'callback.secret': callback?.secret ?? '' }),
  remedies: ({ status, callback, callbackDue }) =>
    status === 'awaiting' || callbackDue !== undefined
      ? remediesOf([callback?.secret, 'create it again, or read its outcome: its callback fails'])
      : [],
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
