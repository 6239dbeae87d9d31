import { SCOPES, type Scope } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createHash } from 'node:crypto';
import { createKeyAuthenticator, newApiKey } from './api-keys.ts';
import { hasScope } from './caller.ts';
import { API_KEYS, type ApiKeyRecord } from './records/api-key.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const NOW = Date.parse('2026-03-14T09:26:53.589Z');

let store: DocumentStore;
beforeAll(async () => {
  store = openTestStore();
});

async function storeKey(options: { scopes?: Scope[]; expiresAt?: string; key?: string } = {}) {
  const made = newApiKey({ accountId: ACCOUNT, name: 'CRM', scopes: ['forms:read'], now: NOW, ...options });
  await store.collection<ApiKeyRecord>(API_KEYS).insertOne(made.record);
  return made;
}

describe('a new API key', () => {
  it('has svc_key_ and 43 characters; only its hash is stored', async () => {
    const { key, record } = await storeKey();
    expect(key).toMatch(/^svc_key_[A-Za-z0-9_-]{43}$/);
    expect(record).toEqual({
      _id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
      accountId: ACCOUNT,
      name: 'CRM',
      hash: createHash('sha256').update(key).digest('hex'),
      last4: key.slice(-4),
      scopes: ['forms:read'],
      expiresAt: null,
      createdBy: null,
      createdAt: '2026-03-14T09:26:53.589Z',
    });
    expect(JSON.stringify(record)).not.toContain(key);
  });

  it('is different each time', () => {
    const keys = Array.from({ length: 100 }, () =>
      newApiKey({ accountId: ACCOUNT, name: 'x', scopes: [], now: NOW }),
    );
    expect(new Set(keys.map(({ key }) => key)).size).toBe(100);
  });
});

describe('the caller of a key', () => {
  const authenticateAt = (now: number) => createKeyAuthenticator({ store, now: () => now });

  it('has the account and the scopes of the key', async () => {
    const { key, record } = await storeKey({ scopes: ['forms:read', 'submissions:read'] });
    expect(await authenticateAt(NOW)(key)).toEqual({
      accountId: ACCOUNT,
      id: record._id,
      name: record.name,
      scopes: new Set(['forms:read', 'submissions:read']),
    });
  });

  it.each([
    ['nothing', () => ''],
    ['a key that nobody has', () => `svc_key_${'x'.repeat(43)}`],
    ['a key with a character more', (key: string) => `${key}x`],
    ['a key with a character less', (key: string) => key.slice(0, -1)],
    ['a key in another case', (key: string) => key.toUpperCase()],
    ['a key with a line end', (key: string) => `${key}\n`],
    ['the hash of a key', (key: string) => createHash('sha256').update(key).digest('hex')],
    ['an inbound token', () => `svc_inb_${'x'.repeat(43)}`],
  ])('is null for %s', async (_, change) => {
    const { key } = await storeKey();
    expect(await authenticateAt(NOW)(change(key))).toBeNull();
  });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('is known %d ms after the expiry of the key: %s', async (afterMs, known) => {
    const { key } = await storeKey({ expiresAt: new Date(NOW).toISOString() });
    expect((await authenticateAt(NOW + afterMs)(key)) !== null).toBe(known);
  });

  it('is null as soon as the key is deleted', async () => {
    const { key, record } = await storeKey();
    const authenticate = authenticateAt(NOW);
    expect(await authenticate(key)).not.toBeNull();
    await store.collection<ApiKeyRecord>(API_KEYS).deleteOne({ _id: record._id });
    expect(await authenticate(key)).toBeNull();
  });
});

describe('a scope', () => {
  const callerWith = (...scopes: Scope[]) => ({ scopes: new Set(scopes) });

  it.each(SCOPES)('%s is granted by its name and by *, and by no other scope.', (scope) => {
    const others = SCOPES.filter((other) => other !== scope && other !== '*');
    expect(hasScope(callerWith(scope), scope)).toBe(true);
    expect(hasScope(callerWith('*'), scope)).toBe(true);
    expect(hasScope(callerWith(...others), scope)).toBe(false);
    expect(hasScope(callerWith(), scope)).toBe(false);
  });
});
