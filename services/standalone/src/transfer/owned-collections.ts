import type { CollectionSpec, DocumentStore, Filter, StoredDocument } from '@svcforms/document-store';
import { AUDIT_LOG, IDEMPOTENCY_KEYS } from '@svcforms/http';
import {
  ACCOUNTS,
  AGENT_TOKENS,
  AGENTS,
  API_KEYS,
  GROUPS,
  INVITATIONS,
  LOGIN_CHALLENGES,
  LOGIN_FAILURES,
  OAUTH_ARTIFACTS,
  OAUTH_CLIENTS,
  OIDC_LOGINS,
  PASSWORD_RESETS,
  RECOVERY_CODES,
  SESSIONS,
  SLACK_CLICKS,
  USERS,
} from '@svcforms/identity';
import { chunksOf } from '@svcforms/primitives';
import {
  DELIVERIES,
  ERASURES,
  FORM_VERSIONS,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  MAIL_COUNTERS,
  NOTIFICATION_ADDRESSES,
  POPUP_COUNTERS,
  RECOVERIES,
  SUBMISSIONS,
  TASKS,
  WEBHOOK_HEALTH,
  WEBHOOKS,
} from '@svcforms/records';
import { DEAD_LETTERS, MAIL_WINDOWS, MAILS } from '@svcforms/webhook-dispatcher/collections';
import { documentsOf } from '../dump/dump.ts';

/** The ids by which documents that don't name their account are found. */
export interface OwnedIds {
  accountId: string;
  formIds: readonly string[];
  endpointIds: readonly string[];
}

/** A collection of which an account owns documents. */
interface Owned {
  spec: CollectionSpec;
  /** Finds them. Default: by `accountId`. */
  filters?: (ids: OwnedIds) => Filter[];
}

const IDS_PER_FILTER = 200;

const byIds = (field: string, ids: readonly string[]): Filter[] =>
  chunksOf(ids, IDS_PER_FILTER).map((some) => ({ [field]: { $in: some } }));

/**
 * Keys that begin with the id of an account and `#` or `|`. All these ids have the same length, and
 * `}` follows `|`.
 */
const startingWith = (field: string, accountId: string): Filter => ({
  [field]: { $gte: `${accountId}#`, $lt: `${accountId}}` },
});

/**
 * All that moves with an account, in the order of an export. As in a dump, submissions come before
 * tasks, both before deliveries, and those before everything else that consumers of events write.
 */
export const OWNED: readonly Owned[] = [
  { spec: ERASURES },
  { spec: WEBHOOKS },
  { spec: INBOUND_ENDPOINTS },
  { spec: ACCOUNTS, filters: ({ accountId }) => [{ _id: accountId }] },
  { spec: USERS },
  { spec: API_KEYS },
  { spec: GROUPS },
  { spec: INVITATIONS },
  { spec: RECOVERY_CODES },
  { spec: FORMS },
  { spec: FORM_VERSIONS },
  { spec: POPUP_COUNTERS, filters: ({ formIds }) => byIds('formId', formIds) },
  { spec: SUBMISSIONS },
  // The tombstones of deleted tasks keep their dedupe keys reserved.
  { spec: TASKS, filters: ({ accountId }) => [{ accountId }, startingWith('dedupe', accountId)] },
  { spec: RECOVERIES },
  { spec: DELIVERIES },
  { spec: WEBHOOK_HEALTH },
  { spec: NOTIFICATION_ADDRESSES },
  { spec: MAIL_COUNTERS, filters: ({ accountId }) => [startingWith('_id', accountId)] },
  { spec: MAILS },
  { spec: INBOUND_REQUESTS, filters: ({ endpointIds }) => byIds('_id', endpointIds) },
  {
    spec: IDEMPOTENCY_KEYS,
    filters: ({ accountId, formIds }) => [{ accountId }, ...byIds('formId', formIds)],
  },
  { spec: AUDIT_LOG },
];

/**
 * What stays: logins in progress and connected agents, which belong to the address of the
 * installation; counters of the last hour; and messages that an operator has to look at.
 * docs/adr/0061
 */
export const NOT_MOVED: readonly CollectionSpec[] = [
  SESSIONS,
  PASSWORD_RESETS,
  LOGIN_CHALLENGES,
  OIDC_LOGINS,
  SLACK_CLICKS,
  LOGIN_FAILURES,
  OAUTH_CLIENTS,
  AGENTS,
  AGENT_TOKENS,
  OAUTH_ARTIFACTS,
  MAIL_WINDOWS,
  DEAD_LETTERS,
];

/** Finds the ids of an account's forms and inbound endpoints. */
export async function ownedIds(
  store: Pick<DocumentStore, 'collection'>,
  accountId: string,
): Promise<OwnedIds> {
  const idsOf = async (spec: CollectionSpec) => {
    const ids: string[] = [];
    for await (const { _id } of documentsOf(store, spec, { accountId })) ids.push(_id);
    return ids;
  };
  return { accountId, formIds: await idsOf(FORMS), endpointIds: await idsOf(INBOUND_ENDPOINTS) };
}

/** Reads what an account owns of one collection, each document once. */
export async function* ownedDocuments(
  store: Pick<DocumentStore, 'collection'>,
  { spec, filters = ({ accountId }) => [{ accountId }] }: Owned,
  ids: OwnedIds,
): AsyncGenerator<StoredDocument> {
  const [first, ...others] = filters(ids);
  if (!first) return;
  yield* documentsOf(store, spec, first);
  for (const filter of others) {
    for await (const document of documentsOf(store, spec, filter)) {
      const { accountId } = document as { accountId?: string };
      // The first filter has found those that name the account.
      if (accountId !== ids.accountId) yield document;
    }
  }
}
