import { newId, type Scope } from '@svcforms/contracts';
import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { generateToken, hashToken } from '@svcforms/signing';
import type { Caller } from './caller.ts';
import { createKeyUse } from './key-use.ts';
import { API_KEYS, FIRST_KEY_ID, OPERATOR, type ApiKeyRecord } from './records/api-key.ts';

const KEY_PREFIX = 'svc_key_';
const KEY_PATTERN = /^svc_key_[A-Za-z0-9_-]{43}$/;

/**
 * Creates a key: the record to store, and the key itself, which is shown once. `key` sets its value
 * (first start). `createdBy` is the user or key that creates it, with the authority that it passes
 * on and the user for whom it acts; absent for the operator.
 */
export function newApiKey(options: {
  id?: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: string | null;
  key?: string | undefined;
  createdBy?: {
    id: string;
    authority: string | undefined;
    userId?: string | undefined;
    isReviewer?: boolean;
  };
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
    ...(options.createdBy?.userId !== undefined && { userId: options.createdBy.userId }),
    ...(options.createdBy?.isReviewer && { ofReviewer: true }),
    ...(authority !== undefined && options.scopes.includes('*') ? { authority } : {}),
    createdAt: isoTime(options.now),
  };
  return { record, key };
}

/** Returns the caller of a key; `null` for a key that is unknown, malformed or expired. */
export function createKeyAuthenticator(deps: {
  store: DocumentStore;
  now?: Clock;
  /** Called when a `lastUsedAt` can't be stored; the request continues. */
  onError?: (error: unknown) => void;
}): (key: string) => Promise<Caller | null> {
  const keys = deps.store.collection<ApiKeyRecord>(API_KEYS);
  const findKey = createCachedFinder(keys, 'hash');
  const { now = Date.now } = deps;
  const recordUse = createKeyUse({ credentials: keys, now, onError: deps.onError ?? (() => {}) });
  return async function authenticate(key) {
    if (!KEY_PATTERN.test(key)) return null;
    const record = await findKey(hashToken(key));
    if (!record || hasExpired(record, now())) return null;
    recordUse(record);
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

/**
 * Returns the scopes of a key. In keys from versions without `users:manage`, `keys:manage` includes
 * it.
 */
export function scopesOfKey({
  scopes,
  scopesVersion,
}: Pick<ApiKeyRecord, 'scopes' | 'scopesVersion'>): Scope[] {
  const isSplit = scopesVersion !== undefined || !scopes.includes('keys:manage');
  return isSplit || scopes.includes('users:manage') ? scopes : [...scopes, 'users:manage'];
}

/**
 * See `ApiKeyRecord.authority`. Of the keys from older versions, only the first one is known to be
 * the operator's.
 */
export function authorityOf({ _id, authority }: Pick<ApiKeyRecord, '_id' | 'authority'>): string | undefined {
  return authority ?? (_id === FIRST_KEY_ID ? OPERATOR : undefined);
}

/** Whether the key has expired at `now`, in milliseconds since the epoch. */
export function hasExpired({ expiresAt }: Pick<ApiKeyRecord, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
