import { openTestDatabase, openTestStore } from '@svcforms/document-store/testing';
import { tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyAuthenticator } from './api-keys.ts';
import { bootstrap, firstAccountLines, type BootstrapSettings } from './bootstrap.ts';
import { createPasswordHasher } from './password.ts';
import { ACCOUNTS, type AccountRecord } from './records/account.ts';
import { API_KEYS, type ApiKeyRecord } from './records/api-key.ts';
import { USERS, type UserRecord } from './records/user.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const passwords = createPasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });

const GIVEN: BootstrapSettings = {
  SVC_BOOTSTRAP_EMAIL: 'Ada@Example.com',
  SVC_BOOTSTRAP_PASSWORD: 'correct horse battery',
  SVC_BOOTSTRAP_API_KEY: `svc_key_${'a'.repeat(43)}`,
  SVC_BOOTSTRAP_PLAN: 'pro',
};
const NOTHING: BootstrapSettings = { SVC_BOOTSTRAP_PLAN: 'business' };

/** A database of its own; each process opens its own store on it. */
function openStage() {
  const database = openTestDatabase();
  const openStore = () => openTestStore(database);
  const store = openStore();
  const all = async () => ({
    accounts: await store.collection<AccountRecord>(ACCOUNTS).find({}),
    users: await store.collection<UserRecord>(USERS).find({}),
    keys: await store.collection<ApiKeyRecord>(API_KEYS).find({}),
  });
  return { store, openStore, all };
}

describe('the first start', () => {
  it('creates an account, its owner and an all-scope key from the settings, and returns no credentials', async () => {
    const { store, all } = openStage();
    expect(await bootstrap({ store, passwords, now: () => 0 }, GIVEN)).toEqual({ email: 'ada@example.com' });
    const { accounts, users, keys } = await all();
    expect(accounts).toEqual([
      expect.objectContaining({ plan: 'pro', createdAt: '1970-01-01T00:00:00.000Z' }),
    ]);
    expect(users).toEqual([
      expect.objectContaining({ accountId: accounts[0]?._id, email: 'ada@example.com', role: 'owner' }),
    ]);
    expect(users[0]).not.toHaveProperty('mustChangePassword');
    expect(keys).toEqual([expect.objectContaining({ accountId: accounts[0]?._id, scopes: ['*'] })]);
    const caller = await createKeyAuthenticator({ store })(GIVEN.SVC_BOOTSTRAP_API_KEY ?? '');
    expect(caller).toMatchObject({ accountId: accounts[0]?._id });
    expect(JSON.stringify(await all())).not.toMatch(/correct horse|svc_key_aaa/);
  });

  it('generates missing credentials and returns them once; the password must be changed', async () => {
    const { store, all } = openStage();
    const first = await bootstrap({ store, passwords }, NOTHING);
    expect(first).toEqual({
      email: 'owner@svcforms.local',
      password: expect.stringMatching(/^[\w-]{43}$/),
      apiKey: expect.stringMatching(/^svc_key_[\w-]{43}$/),
    });
    expect(await createKeyAuthenticator({ store })(first?.apiKey ?? '')).not.toBeNull();
    expect((await all()).users).toEqual([expect.objectContaining({ mustChangePassword: true })]);
  });

  it('happens once', async () => {
    const { openStore, all } = openStage();
    await bootstrap({ store: openStore(), passwords }, NOTHING);
    const before = await all();
    expect(await bootstrap({ store: openStore(), passwords }, GIVEN)).toBeNull();
    expect(await all()).toEqual(before);
  });

  it('of concurrent processes creates one of each, and one process returns the credentials', async () => {
    const { openStore, all } = openStage();
    const results = await Promise.all(
      Array.from({ length: 4 }, () => bootstrap({ store: openStore(), passwords }, NOTHING)),
    );
    const { accounts, users, keys } = await all();
    expect([accounts.length, users.length, keys.length]).toEqual([1, 1, 1]);
    expect(results.filter((first) => first?.password !== undefined)).toHaveLength(1);
    const [apiKey, ...others] = results.flatMap((first) => first?.apiKey ?? []);
    expect(others).toEqual([]);
    expect(await createKeyAuthenticator({ store: openStore() })(apiKey ?? '')).not.toBeNull();
  });

  it('is completed by the next start after a crash', async () => {
    const { store, all } = openStage();
    await bootstrap({ store, passwords }, GIVEN);
    await store.collection<AccountRecord>(ACCOUNTS).updateMany({}, { $unset: { bootstrappedAt: true } });
    await store.collection<ApiKeyRecord>(API_KEYS).deleteMany({});
    const finished = await bootstrap({ store, passwords }, NOTHING);
    expect(Object.keys(finished ?? {})).toEqual(['email', 'apiKey']);
    expect((await all()).keys).toHaveLength(1);
  });

  it("doesn't recreate a key or user that is deleted later", async () => {
    const { store, all } = openStage();
    await bootstrap({ store, passwords }, GIVEN);
    await store.collection<ApiKeyRecord>(API_KEYS).deleteMany({});
    await store.collection<UserRecord>(USERS).deleteMany({});
    expect(await bootstrap({ store, passwords }, GIVEN)).toBeNull();
    expect(await all()).toMatchObject({ users: [], keys: [] });
  });
});

describe('the first start of a process that generates nothing', () => {
  it('requires a password, and stores nothing without', async () => {
    const { store, all } = openStage();
    const SVC_BOOTSTRAP_API_KEY = GIVEN.SVC_BOOTSTRAP_API_KEY;
    const starting = bootstrap(
      { store, passwords, mayGenerate: false },
      { ...NOTHING, SVC_BOOTSTRAP_API_KEY },
    );
    await expect(starting).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(
        /^SVC_BOOTSTRAP_PASSWORD or SVC_BOOTSTRAP_PASSWORD_FILE is required/,
      ) as string,
    });
    expect(await all()).toEqual({ accounts: [], users: [], keys: [] });
  });

  it('creates no API key unless one is configured', async () => {
    const { store, all } = openStage();
    const { SVC_BOOTSTRAP_API_KEY: _, ...settings } = GIVEN;
    expect(await bootstrap({ store, passwords, mayGenerate: false }, settings)).toEqual({
      email: 'ada@example.com',
    });
    expect(await all()).toMatchObject({ users: [{ role: 'owner' }], keys: [] });
  });

  it('needs no password once the first account exists', async () => {
    const { store } = openStage();
    await bootstrap({ store, passwords }, GIVEN);
    expect(await bootstrap({ store, passwords, mayGenerate: false }, NOTHING)).toBeNull();
  });
});

describe('credentials of the first start in files', () => {
  const folder = tempFolder();
  const fileWith = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('are used like those of the environment', async () => {
    const { store, all } = openStage();
    const key = `svc_key_${'b'.repeat(43)}`;
    const first = await bootstrap(
      { store, passwords, mayGenerate: false },
      {
        ...NOTHING,
        SVC_BOOTSTRAP_PASSWORD_FILE: fileWith('password', 'correct horse battery\n'),
        SVC_BOOTSTRAP_API_KEY_FILE: fileWith('key', `${key}\n`),
      },
    );
    expect(first).toEqual({ email: 'owner@svcforms.local' });
    const [user] = (await all()).users;
    expect(
      await passwords.verify('correct horse battery', user?.passwordHash, { id: 'usr_1', isKnown: true }),
    ).toBe(true);
    expect(await createKeyAuthenticator({ store })(key)).not.toBeNull();
  });

  it.each([
    ['SVC_BOOTSTRAP_PASSWORD_FILE', 'short\n', 'must contain a password with at least 12 characters'],
    ['SVC_BOOTSTRAP_PASSWORD_FILE', 'password1234\n', 'is too easy to guess'],
    ['SVC_BOOTSTRAP_API_KEY_FILE', 'hunter2', 'must contain svc_key_ and 43 base64url characters'],
  ])('are refused if %s contains %j, without showing it', async (name, text, problem) => {
    const { store, all } = openStage();
    const starting = bootstrap({ store, passwords }, { ...NOTHING, [name]: fileWith('bad', text) });
    await expect(starting).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(new RegExp(`^${name} .*${problem}`)) as string,
    });
    await expect(starting).rejects.toMatchObject({
      message: expect.not.stringContaining(text.trim()) as string,
    });
    expect(await all()).toEqual({ accounts: [], users: [], keys: [] });
  });

  it('are refused if a file is missing', async () => {
    const { store } = openStage();
    const path = join(folder, 'none');
    await expect(
      bootstrap({ store, passwords }, { ...NOTHING, SVC_BOOTSTRAP_PASSWORD_FILE: path }),
    ).rejects.toThrow(`SVC_BOOTSTRAP_PASSWORD_FILE ${path} can't be read: ENOENT`);
  });
});

describe('a configured password that is easy to guess', () => {
  it.each(['password1234', 'passwordpassword', 'owner@svcforms.local'])(
    'is refused with the name of its setting, and nothing is stored: %s',
    async (SVC_BOOTSTRAP_PASSWORD) => {
      const { store, all } = openStage();
      const starting = bootstrap({ store, passwords }, { ...NOTHING, SVC_BOOTSTRAP_PASSWORD });
      await expect(starting).rejects.toMatchObject({
        name: 'SettingsError',
        message: expect.stringMatching(/^SVC_BOOTSTRAP_PASSWORD is too easy to guess/),
      });
      expect(await all()).toEqual({ accounts: [], users: [], keys: [] });
    },
  );
});

describe('the credentials of the first start', () => {
  it('include generated ones', () => {
    const notice = firstAccountLines({ email: 'a@b.c', password: 'pw', apiKey: 'svc_key_x' });
    expect(notice).toMatch(/a@b\.c\n.*pw\n.*svc_key_x\n$/);
  });

  it('omit configured ones', () => {
    expect(firstAccountLines({ email: 'a@b.c' })).not.toMatch(/Password|API key/);
  });
});
