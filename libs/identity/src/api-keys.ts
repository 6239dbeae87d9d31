import { newId, type Scope } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { generateToken, hashToken } from '@svcforms/signing';
import type { Caller } from './caller.ts';
import { API_KEYS, type ApiKeyRecord } from './records.ts';

const KEY_PREFIX = 'svc_key_';
const KEY_FORM = /^svc_key_[A-Za-z0-9_-]{43}$/;

/** A new key: the record to store, and the key itself, which is shown once. `key` fixes it (bootstrap). */
export function newApiKey(options: {
  id?: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: string | null;
  key?: string | undefined;
  now: number;
}): { record: ApiKeyRecord; key: string } {
  const key = options.key ?? generateToken(KEY_PREFIX);
  const record: ApiKeyRecord = {
    _id: options.id ?? newId('key'),
    accountId: options.accountId,
    name: options.name,
    hash: hashToken(key),
    last4: key.slice(-4),
    scopes: options.scopes,
    expiresAt: options.expiresAt ?? null,
    createdAt: new Date(options.now).toISOString(),
  };
  return { record, key };
}

/** Finds the caller that a key belongs to; `null` for a key that is unknown, ill-formed or expired. */
export function createKeyAuthenticator(deps: {
  store: DocumentStore;
  now?: () => number;
}): (key: string) => Promise<Caller | null> {
  const keys = deps.store.collection<ApiKeyRecord>(API_KEYS);
  const { now = Date.now } = deps;
  return async function authenticate(key) {
    if (!KEY_FORM.test(key)) return null;
    const record = await keys.findOne({ hash: hashToken(key) });
    if (!record || hasExpired(record, now())) return null;
    return { accountId: record.accountId, id: record._id, scopes: new Set(record.scopes) };
  };
}

/** At `now`, in milliseconds since the epoch. */
export function hasExpired({ expiresAt }: Pick<ApiKeyRecord, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
