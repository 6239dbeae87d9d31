import { newId, type Scope } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { generateToken, hashToken } from '@svcforms/signing';
import type { Caller } from './caller.ts';
import { createKeyUse } from './key-use.ts';
import { API_KEYS, FIRST_KEY_ID, OPERATOR, type ApiKeyRecord } from './records.ts';

const KEY_PREFIX = 'svc_key_';
const KEY_FORM = /^svc_key_[A-Za-z0-9_-]{43}$/;

/**
 * A new key: the record to store, and the key itself, which is shown once. `key` fixes it (bootstrap). `createdBy` names the
 * user or key that asks for it and the authority that it passes on; absent: the operator creates it.
 */
export function newApiKey(options: {
  id?: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: string | null;
  key?: string | undefined;
  createdBy?: { id: string; authority: string | undefined };
  now: number;
}): { record: ApiKeyRecord; key: string } {
  const key = options.key ?? generateToken(KEY_PREFIX);
  const authority = options.createdBy ? options.createdBy.authority : OPERATOR;
  const record: ApiKeyRecord = {
    _id: options.id ?? newId('key'),
    accountId: options.accountId,
    name: options.name,
    hash: hashToken(key),
    last4: key.slice(-4),
    scopes: options.scopes,
    ...(options.scopes.includes('keys:manage') ? { scopesVersion: 2 } : {}),
    expiresAt: options.expiresAt ?? null,
    createdBy: options.createdBy?.id ?? null,
    ...(authority !== undefined && options.scopes.includes('*') ? { authority } : {}),
    createdAt: new Date(options.now).toISOString(),
  };
  return { record, key };
}

/** Finds the caller that a key belongs to; `null` for a key that is unknown, ill-formed or expired. */
export function createKeyAuthenticator(deps: {
  store: DocumentStore;
  now?: () => number;
  /** Told when a `lastUsedAt` could not be stored; the request goes on. */
  onError?: (error: unknown) => void;
}): (key: string) => Promise<Caller | null> {
  const keys = deps.store.collection<ApiKeyRecord>(API_KEYS);
  const { now = Date.now } = deps;
  const noteUse = createKeyUse({ keys, now, onError: deps.onError ?? (() => {}) });
  return async function authenticate(key) {
    if (!KEY_FORM.test(key)) return null;
    const record = await keys.findOne({ hash: hashToken(key) });
    if (!record || hasExpired(record, now())) return null;
    noteUse(record);
    const authority = authorityOf(record);
    return {
      accountId: record.accountId,
      id: record._id,
      name: record.name,
      scopes: new Set(scopesOfKey(record)),
      ...(authority === undefined ? {} : { authority }),
      ...(record.createdBy ? { createdBy: record.createdBy } : {}),
    };
  };
}

/** What the key may do. Keys of versions before `users:manage` existed managed users by `keys:manage`, and still do. */
export function scopesOfKey({
  scopes,
  scopesVersion,
}: Pick<ApiKeyRecord, 'scopes' | 'scopesVersion'>): Scope[] {
  const isSplit = scopesVersion !== undefined || !scopes.includes('keys:manage');
  return isSplit || scopes.includes('users:manage') ? scopes : [...scopes, 'users:manage'];
}

/** See `ApiKeyRecord.authority`. Of older versions' keys, only that of the first start is known to be the operator's. */
export function authorityOf({ _id, authority }: Pick<ApiKeyRecord, '_id' | 'authority'>): string | undefined {
  return authority ?? (_id === FIRST_KEY_ID ? OPERATOR : undefined);
}

/** At `now`, in milliseconds since the epoch. */
export function hasExpired({ expiresAt }: Pick<ApiKeyRecord, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
