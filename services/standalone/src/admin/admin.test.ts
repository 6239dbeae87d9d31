import type { AccountOut } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import {
  ACCOUNTS,
  createPasswordHasher,
  INVITATIONS,
  USERS,
  type AccountRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import {
  TASKS,
  WEBHOOKS,
  webhookSecretContext,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import {
  createSecretBox,
  generateEncryptionKey,
  signInbound,
  verifySvcSignature,
  type SecretBox,
} from '@svcforms/signing';
import {
  createClient,
  createFormWithWebhook,
  runToEnd,
  sessionCookie,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import {
  copyFileSync,
  createWriteStream,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { Readable, Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { openEmbeddedBackends } from '../../test/embedded-backends.ts';
import { resealSecrets } from './reseal.ts';
import { runAdmin } from './run-admin.ts';

jest.setTimeout(60_000);

const OWNER_KEY = `svc_key_${'o'.repeat(43)}`;
const FIRST_ACCOUNT = 'acc_00000000000000000000000001';
const PASSWORDS = createPasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });

function createTextSink() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/**
 * Runs the admin command in this process, which takes a tenth of the time of a process of its own.
 */
async function run(args: readonly string[], env: Readonly<Record<string, string>>, input = '') {
  const [stdout, stderr] = [createTextSink(), createTextSink()];
  const streams = { stdin: Readable.from([input]), stdout: stdout.stream, stderr: stderr.stream };
  const code = await runAdmin(args, { env, ...streams }, PASSWORDS);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A folder in which the product has run, and the product itself, stopped or not. */
async function openProduct({ running }: { running: boolean }) {
  const folder = tempFolder();
  const product = await startProcess('standalone', {
    env: { SVC_DATA_DIR: folder, SVC_BOOTSTRAP_API_KEY: OWNER_KEY },
    fullPasswordCost: true,
  });
  if (!running) await product.stop();
  const admin = (...args: string[]) => run(args, { SVC_DATA_DIR: folder });
  return { folder, product, admin };
}

/** Uses the store of a product, beside it. */
async function withStore<T>(folder: string, use: (store: DocumentStore) => Promise<T>): Promise<T> {
  const database = openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
  const store = createEmbeddedStore(database);
  try {
    return await use(store);
  } finally {
    await store.close();
    await database.close();
  }
}

type Opened = Awaited<ReturnType<typeof openProduct>>;

describe.each([
  ['while the product is stopped', { running: false }],
  ['while the product runs', { running: true }],
])('the admin command %s', (_, state) => {
  let product: Opened['product'];
  let folder: string;
  let admin: Opened['admin'];
  beforeAll(async () => void ({ folder, product, admin } = await openProduct(state)));

  it('lists, creates and changes accounts', async () => {
    expect(await admin('account', 'list')).toEqual({
      code: 0,
      stdout: `${FIRST_ACCOUNT} business My account\n`,
      stderr: '',
    });
    const created = await admin('account', 'create', '--name', 'Analytical Engines', '--plan', 'starter');
    expect(created.stdout).toMatch(/^acc_[0-9A-Z]{26} starter Analytical Engines\n$/);
    const id = created.stdout.slice(0, 30);
    expect((await admin('account', 'set-plan', id, 'pro')).stdout).toBe(`${id} pro Analytical Engines\n`);
    expect((await admin('account', 'list')).stdout.split('\n')).toEqual([
      `${id} pro Analytical Engines`,
      `${FIRST_ACCOUNT} business My account`,
      '',
    ]);
  });

  it('creates users, one for each email address', async () => {
    const user = ['--email', 'Ada@Example.com', '--name', 'Ada', '--account', FIRST_ACCOUNT];
    const [at, later] = ['2026-01-01T00:00:00.000Z', '2126-01-01T00:00:00.000Z'];
    const invitation: InvitationRecord = {
      _id: 'inv_1',
      accountId: FIRST_ACCOUNT,
      email: 'ada@example.com',
      role: 'admin',
      invitedBy: 'usr_1',
      links: [],
      createdAt: at,
      sentAt: at,
      expiresAt: later,
      expireAt: later,
    };
    await withStore(folder, (store) => store.collection(INVITATIONS).insertOne(invitation));
    const { stdout } = await admin('user', 'create', ...user, '--role', 'admin');
    expect(stdout).toMatch(
      /^usr_\w{26} ada@example\.com admin of acc_\w{26}\npassword [\w-]{43} \(shown only now\)\n$/,
    );
    expect(await withStore(folder, (store) => store.collection(INVITATIONS).count({}))).toBe(0);
    expect(await admin('user', 'create', ...user)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'admin: A user with the email ada@example.com already exists\n',
    });
  });

  it.each([
    ['', 'must have at least 12 characters'],
    ['password1234\n', 'is too easy to guess'],
  ])('refuses the password %j from stdin', async (input, problem) => {
    const user = ['--email', 'eve@example.com', '--name', 'Eve', '--account', FIRST_ACCOUNT];
    const args = ['user', 'create', '--password-stdin', ...user];
    const refused = await run(args, { SVC_DATA_DIR: folder }, input);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining(`the password ${problem}`)]);
  });

  it('sets a forgotten password, ends the sessions of the user, and adds it to the audit log', async () => {
    const user = ['--name', 'Eve', '--email', 'eve@example.com', '--account', FIRST_ACCOUNT];
    await run(['user', 'create', '--password-stdin', ...user], { SVC_DATA_DIR: folder }, 'horse battery one');
    const args = ['user', 'set-password', 'Eve@Example.com', '--password-stdin'];
    const done = await run(args, { SVC_DATA_DIR: folder }, 'horse battery two\n');
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^usr_\w{26} eve@example\.com has/)]);
    const generated = await admin('user', 'set-password', 'eve@example.com');
    const [, password = ''] = /^password (\S+) \(shown only now\)$/m.exec(generated.stdout) ?? [];
    expect(password).toHaveLength(43);
    expect((await admin('user', 'set-password', 'nobody@example.com')).code).not.toBe(0);
    const weak = await run(args, { SVC_DATA_DIR: folder }, 'password1234');
    expect([weak.code, weak.stderr]).toEqual([64, expect.stringContaining('is too easy to guess')]);
    if (!state.running) return;
    const client = createClient({ baseUrl: product.url });
    const login = (attempt: string) =>
      client.post('/api/auth/login', { body: { email: 'eve@example.com', password: attempt } });
    expect((await login('horse battery two')).status).toBe(401);
    const { status, headers } = await login(password);
    expect(status).toBe(200);
    const cookie = sessionCookie({ headers });
    await client.get('/api/auth/me', { headers: { cookie }, expect: 200 });
    await admin('user', 'set-password', 'eve@example.com');
    await client.get('/api/auth/me', { headers: { cookie }, expect: 401 });
  });

  it('lets a generated password be changed first, and not one that the operator chose', async () => {
    const args = (email: string) => ['user', 'create', '--name', 'New', '--email', email, '--account'];
    const generated = await admin(...args('generated@example.com'), FIRST_ACCOUNT);
    const [, password = ''] = /^password (\S+) \(shown only now\)$/m.exec(generated.stdout) ?? [];
    const chosen = 'correct horse seven';
    await run(
      [...args('chosen@example.com'), FIRST_ACCOUNT, '--password-stdin'],
      { SVC_DATA_DIR: folder },
      chosen,
    );
    if (!state.running) return;
    const client = createClient({ baseUrl: product.url });
    const logIn = async (email: string, given: string) => {
      const { headers } = await client.post('/api/auth/login', {
        body: { email, password: given },
        expect: 200,
      });
      return { headers: { cookie: sessionCookie({ headers }) } };
    };
    const own = await logIn('generated@example.com', password);
    const refused = await client.get('/api/forms', own);
    expect([refused.status, refused.body.code]).toEqual([403, 'PASSWORD_CHANGE_REQUIRED']);
    const body = { currentPassword: password, password: 'correct horse eight' };
    await client.patch('/api/auth/me', { ...own, body, expect: 200 });
    await client.get('/api/forms', { ...own, expect: 200 });
    await client.get('/api/forms', { ...(await logIn('chosen@example.com', chosen)), expect: 200 });
  });

  it('requires single sign-on only where an owner can log in with it, and always makes it optional', async () => {
    const command = ['account', 'set-single-sign-on', FIRST_ACCOUNT];
    const ISSUER = 'https://id.example';
    const unnamed = { SVC_DATA_DIR: folder, SVC_OIDC_ISSUER: ISSUER };
    const env = { ...unnamed, SVC_OIDC_ACCOUNT: FIRST_ACCOUNT };
    const isRefused = async (values: Readonly<Record<string, string>>) =>
      expect(await run([...command, 'required'], values)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^admin: nobody could log in to acc_\w+: set SVC_OIDC_ISSUER, and SVC_OIDC_ACCOUNT if .* and let an owner /,
        ),
      });
    for (const values of [env, { SVC_DATA_DIR: folder }]) await isRefused(values);
    await withStore(folder, (store) =>
      store
        .collection<UserRecord>(USERS)
        .updateOne({ accountId: FIRST_ACCOUNT, role: 'owner' }, { $set: { oidcSubject: `${ISSUER}|owner` } }),
    );
    const { stdout } = await admin('account', 'create', '--name', 'Another');
    for (const values of [unnamed, { ...env, SVC_OIDC_ACCOUNT: stdout.slice(0, 30) }])
      await isRefused(values);
    expect((await run([...command, 'required'], env)).stdout).toMatch(/requires single sign-on; sessions/);
    if (state.running) {
      const me = createClient({ baseUrl: product.url, token: OWNER_KEY });
      const { body } = await me.get<AccountOut>('/api/account', { expect: 200 });
      expect(body.data.singleSignOnRequired).toBe(true);
    }
    const dump = join(tempFolder(), 'dump');
    expect((await admin('dump', dump)).code).toBe(0);
    const restored = tempFolder();
    copyFileSync(join(folder, 'encryption.key'), join(restored, 'encryption.key'));
    expect((await run(['restore', dump], { SVC_DATA_DIR: restored })).code).toBe(0);
    const account = await withStore(restored, (store) =>
      store.collection<AccountRecord>(ACCOUNTS).findOne({ _id: FIRST_ACCOUNT }),
    );
    expect(account?.singleSignOnRequired).toBe(true);
    expect((await admin(...command, 'optional')).stdout).toMatch(
      /accepts passwords again; "user set-password"/,
    );
    const rows = await withStore(folder, (store) =>
      store.collection<AuditRecord>(AUDIT_LOG).find({ action: 'account.login_policy_changed' }),
    );
    expect(rows.map(({ actor, changes }) => [actor.type, JSON.parse(changes)])).toEqual([
      ['system', { singleSignOnRequired: { from: false, to: true } }],
      ['system', { singleSignOnRequired: { from: true, to: false } }],
    ]);
  });

  it('warns that nothing serves the second account while the settings name none', async () => {
    const create = (env: Readonly<Record<string, string>>) =>
      run(['account', 'create', '--name', 'Another'], { SVC_DATA_DIR: folder, ...env });
    const single = { SVC_OIDC_ISSUER: 'https://id.example', SVC_SLACK_SIGNING_SECRET: 's'.repeat(32) };
    expect(await create(single)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^acc_\w{26} free Another\n$/),
      stderr: expect.stringMatching(
        /^admin: warning: .* until SVC_OIDC_ACCOUNT names .*\nadmin: warning: .* until SVC_SLACK_ACCOUNT names .*\n$/,
      ),
    });
    const named = { SVC_OIDC_ACCOUNT: FIRST_ACCOUNT, SVC_SLACK_ACCOUNT: FIRST_ACCOUNT };
    expect(await create({ ...single, ...named })).toMatchObject({ code: 0, stderr: '' });
  });

  it('turns off two-factor authentication only where it is on', async () => {
    expect(await admin('user', 'remove-totp', 'nobody@example.com')).toMatchObject({
      stderr: 'admin: There is no user with the email nobody@example.com\n',
    });
    const user = ['--name', 'Zoe', '--email', 'zoe@example.com', '--account', FIRST_ACCOUNT];
    await admin('user', 'create', ...user);
    expect(await admin('user', 'remove-totp', 'zoe@example.com')).toMatchObject({
      stderr: 'admin: zoe@example.com has no two-factor authentication\n',
    });
    if (!state.running) return;
    const login = { email: 'zoe@example.com', password: 'horse battery zoe' };
    await run(
      ['user', 'set-password', login.email, '--password-stdin'],
      { SVC_DATA_DIR: folder },
      login.password,
    );
    const client = createClient({ baseUrl: product.url });
    const { headers } = await client.post('/api/auth/login', { body: login, expect: 200 });
    const own = { headers: { cookie: sessionCookie({ headers }) } };
    const { body } = await client.post<{ secret: string }>('/api/auth/totp', { ...own, expect: 200 });
    const code = new TOTP({ secret: Secret.fromBase32(body.data.secret) }).generate();
    await client.post('/api/auth/totp/confirm', { ...own, body: { code }, expect: 200 });
    await client.post('/api/auth/login', { body: login, expect: 401 });
    expect((await admin('user', 'remove-totp', login.email)).stdout).toMatch(/with the password alone\n$/);
    await client.post('/api/auth/login', { body: login, expect: 200 });
  });

  it('creates keys and users that the product accepts, and adds them to the audit log', async () => {
    await admin('account', 'set-plan', FIRST_ACCOUNT, 'pro');
    const user = ['--name', 'Bob', '--email', 'bob@example.com', '--password-stdin'];
    // As a process, because the product must also accept a password that was hashed at full cost.
    const { code, stdout } = await runToEnd('admin', {
      args: ['user', 'create', ...user, '--account', FIRST_ACCOUNT],
      env: { SVC_DATA_DIR: folder },
      input: 'correct horse battery\n',
      fullPasswordCost: true,
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^usr_\w{26} bob@example\.com \S+ of \S+\n$/)]);
    const scopes = ['--scopes', 'forms:read,audit:read,forms:read', '--account', FIRST_ACCOUNT];
    const created = await admin('key', 'create', '--name', 'CRM', ...scopes);
    const [, key = ''] =
      /^key_\w{26} of acc_\w{26}\nkey (\S+) \(shown only now\)\n$/.exec(created.stdout) ?? [];
    expect({ code: created.code, key }).toEqual({
      code: 0,
      key: expect.stringMatching(/^svc_key_[\w-]{43}$/),
    });
    const expires = ['--expires', '2099-01-31T01:00:00+01:00', '--account', FIRST_ACCOUNT];
    await admin('key', 'create', '--name', 'Limited', ...expires);
    await admin('account', 'set-plan', FIRST_ACCOUNT, 'business');

    if (!state.running) await product.restart();
    const client = (token?: string) => createClient({ baseUrl: product.url, ...(token && { token }) });
    await client(key).get('/api/forms', { expect: 200 });
    const keys = (await client(OWNER_KEY).get('/api/keys', { expect: 200 })).body.data;
    expect(keys).toContainEqual(
      expect.objectContaining({ name: 'Limited', expiresAt: '2099-01-31T00:00:00.000Z' }),
    );
    const body = { email: 'bob@example.com', password: 'correct horse battery' };
    await client().post('/api/auth/login', { body, expect: 200 });
    const rows = await client(key).get('/api/audit-log?limit=6', { expect: 200 });
    if (!state.running) await product.stop();

    const actor = { type: 'system', id: null, name: 'admin command' };
    expect(rows.body.data).toMatchObject([
      { action: 'login.succeeded' },
      { action: 'account.plan_changed', changes: { plan: { from: 'pro', to: 'business' } } },
      { action: 'key.created', actor, target: { type: 'key', name: 'Limited' } },
      {
        action: 'key.created',
        actor,
        ip: null,
        target: { type: 'key', name: 'CRM' },
        changes: { scopes: { from: null, to: ['forms:read', 'audit:read'] } },
      },
      { action: 'user.created', actor, target: { type: 'user', name: 'Bob' } },
      { action: 'account.plan_changed', actor, target: { type: 'account', id: FIRST_ACCOUNT } },
    ]);
    expect(rows.text).not.toContain('correct horse battery');
    expect(rows.text).not.toContain('svc_key_');
  });
});

describe('the admin command', () => {
  let folder: string;
  beforeAll(async () => void ({ folder } = await openProduct({ running: false })));

  it.each(['--help', '-h', 'help'])('prints all commands with %s', async (help) => {
    const { code, stdout, stderr } = await run([help], {});
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: npm run admin -- COMMAND\n[^]*\n {2}backup create /);
  });

  it.each([['account list'], ['--help']])("says in one line that it can't print %s", async (command) => {
    const [stdout, stderr] = [createWriteStream('/dev/full'), createTextSink()];
    const streams = { stdin: Readable.from([]), stdout, stderr: stderr.stream };
    const code = await runAdmin(command.split(' '), { env: { SVC_DATA_DIR: folder }, ...streams });
    expect([code, stderr.text()]).toEqual([74, 'admin: ENOSPC: no space left on device, write\n']);
  });

  it("reports a stored backup as created, even if it can't print its name", async () => {
    const [stdout, stderr] = [createWriteStream('/dev/full'), createTextSink()];
    const env = { SVC_DATA_DIR: folder, SVC_BACKUP_DIR: tempFolder() };
    const streams = { stdin: Readable.from([]), stdout, stderr: stderr.stream };
    expect(await runAdmin(['backup', 'create'], { env, ...streams })).toBe(74);
    expect(stderr.text()).toContain('backup.created');
    expect(stderr.text()).not.toContain('backup.failed');
  });

  it.each([
    ['without a command', [], 'There is no command ""'],
    ['with an unknown command', ['account', 'rename'], 'There is no command "account rename"'],
    ['with an unknown option', ['account', 'list', '--nmae', 'x'], "Unknown option '--nmae'"],
    ['without a name', ['account', 'create'], '--name is required'],
    ...[
      ['account', 'create'],
      ['key', 'create'],
      ['user', 'create', '--email', 'ada@example.com'],
    ].flatMap((command): [string, string[], string][] => [
      [
        `with a name of 201 characters for ${command[0]}`,
        [...command, '--name', 'x'.repeat(201)],
        '--name must have at most 200 characters',
      ],
      [
        `with a line break in a name for ${command[0]}`,
        [...command, '--name', 'Acme\nacc_1'],
        '--name must have at most 200 characters, without line breaks',
      ],
      [
        `with a name that nobody sees for ${command[0]}`,
        [...command, '--name', '\u200b'],
        '--name must have a visible character',
      ],
    ]),
    [
      'with an unknown plan',
      ['account', 'create', '--name', 'x', '--plan', 'gold'],
      'plan must be one of: free, ',
    ],
    [
      'without a plan',
      ['account', 'set-plan', FIRST_ACCOUNT],
      'account set-plan requires an account and a plan',
    ],
    ['with an unknown scope', ['key', 'create', '--name', 'x', '--scopes', 'all'], 'scopes must be one of: '],
    ...[
      ['an invalid time', 'soon'],
      ['a year for a time', '2030'],
      ['a time without a zone', '2030-01-31T00:00:00'],
      ['a day that does not exist', '2031-02-30T00:00:00Z'],
    ].map(([what, time = '']): [string, string[], string] => [
      `with ${what}`,
      ['key', 'create', '--name', 'x', '--expires', time],
      '--expires must be a time such as ',
    ]),
    [
      'with a time in the past',
      ['key', 'create', '--name', 'x', '--expires', '2020-01-31T00:00:00Z'],
      '--expires must be in the future',
    ],
    [
      'with an invalid email address',
      ['user', 'create', '--name', 'x', '--email', 'ada'],
      '--email must be an email address',
    ],
    [
      'with an email address that nobody can log in with',
      ['user', 'create', '--name', 'x', '--email', `${'a'.repeat(250)}@example.com`],
      '--email must be an email address',
    ],
    [
      'for single sign-on without a value',
      ['account', 'set-single-sign-on', FIRST_ACCOUNT],
      'account set-single-sign-on requires an account, and required or optional',
    ],
    [
      'for single sign-on with another value',
      ['account', 'set-single-sign-on', FIRST_ACCOUNT, 'off'],
      'the value must be one of: required, optional',
    ],
    ['for a dump without a file', ['dump'], 'dump requires a file, or - for standard output'],
    ['for a restore without a file', ['restore'], 'restore requires a file, or - for standard input'],
    [
      'for a republish since an invalid time',
      ['events', 'republish', '--since', 'soon'],
      '--since must be a time',
    ],
    [
      'for a republish of expired deliveries',
      ['events', 'republish', '--since', '2020-01-31T00:00:00Z'],
      '--since must be at most 29 days ago',
    ],
    [
      'for a republish since a time in the future',
      ['events', 'republish', '--since', '2999-01-31T00:00:00Z'],
      '--since must be in the past',
    ],
    [
      'with the option of another command',
      ['dump', '-', '--account', FIRST_ACCOUNT],
      'dump has no option --account',
    ],
    [
      'with an option for a command without any',
      ['backup', 'list', '--yes', 'x'],
      'backup list has no option --yes',
    ],
    [
      'with an option twice',
      ['restore', 'dump', '--erasures', 'a', '--erasures', 'b'],
      '--erasures is given more than once',
    ],
    ['with an operand too many', ['account', 'list', 'all'], 'account list doesn\'t take the operand "all"'],
    ['with a second file', ['dump', '-', 'other'], 'dump doesn\'t take the operand "other"'],
    [
      'with a password that others can read',
      ['user', 'create', '--name', 'x', '--email', 'a@b.c', '--password', 'correct horse battery'],
      '--password is not supported, because other users of the machine can read command lines: use --password-stdin',
    ],
  ])('%s exits with 64, a line that says why, and its usage', async (_, args, line) => {
    const { code, stdout, stderr } = await run(args, { SVC_DATA_DIR: folder, SVC_BACKUP_DIR: tempFolder() });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr.split('\n')[0]).toContain(`admin: ${line}`);
    expect(stderr).toContain('\n\nUsage: npm run admin -- COMMAND\n');
  });

  it('says on standard error that there is no backup to list', async () => {
    const folder = tempFolder();
    expect(await run(['backup', 'list'], { SVC_BACKUP_DIR: folder })).toEqual({
      code: 0,
      stdout: '',
      stderr: `${folder} has no backups\n`,
    });
  });

  it.each([
    ['400 days', {}, 400],
    ['SVC_AUDIT_RETENTION_DAYS', { SVC_AUDIT_RETENTION_DAYS: '7' }, 7],
  ])('keeps its entries of the audit log for %s', async (_, env, days) => {
    const name = `kept ${days} days`;
    await run(['key', 'create', '--name', name], { SVC_DATA_DIR: folder, ...env });
    const [row] = await withStore(folder, (store) =>
      store.collection<AuditRecord>(AUDIT_LOG).find({ 'target.name': name }),
    );
    const { createdAt = '', expireAt = '' } = row ?? {};
    expect((Date.parse(expireAt) - Date.parse(createdAt)) / (24 * 3600_000)).toBe(days);
  });

  it('changes nothing of a deleted account, of which the first deletion leaves a tombstone', async () => {
    const { folder: own, admin } = await openProduct({ running: false });
    await admin('account', 'delete', FIRST_ACCOUNT, '--yes', FIRST_ACCOUNT);
    expect(await admin('account', 'set-plan', FIRST_ACCOUNT, 'pro')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `admin: There is no account ${FIRST_ACCOUNT}; "account list" lists all accounts\n`,
    });
    const rows = await withStore(own, (store) => store.collection<AuditRecord>(AUDIT_LOG).find({}));
    expect(rows).toEqual([]);
  });

  it('names an account that does not exist in one line', async () => {
    const nobody = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
    expect(await run(['account', 'set-plan', nobody, 'pro'], { SVC_DATA_DIR: folder })).toEqual({
      code: 1,
      stdout: '',
      stderr: `admin: There is no account ${nobody}; "account list" lists all accounts\n`,
    });
  });

  it.each([
    [['user', 'create', '--email', 'once@example.com', '--name', 'Once'], /^usr_.+\npassword [\w-]{43} /],
    [['key', 'create', '--name', 'Once'], /^key_.+\nkey svc_key_[\w-]{43} /],
  ])("shows the secret that %j created, even if the audit log can't be written", async (args, stdout) => {
    const { folder: own, admin } = await openProduct({ running: false });
    const database = openEmbeddedDatabase(join(own, 'svcforms.db'), { shared: true });
    database.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON doc_audit_log BEGIN SELECT RAISE(ABORT, 'it is full'); END`,
    );
    await database.close();
    expect(await admin(...args)).toEqual({
      code: 69,
      stdout: expect.stringMatching(stdout),
      stderr: expect.stringMatching(
        /^admin: the command is done, but the audit log could not be written: .+ it is full\n$/,
      ),
    });
  });

  it('refuses a data folder in which the product never ran', async () => {
    expect(await run(['account', 'list'], { SVC_DATA_DIR: '/nowhere' })).toEqual({
      code: 78,
      stdout: '',
      stderr: expect.stringMatching(/^admin: \/nowhere\/svcforms\.db does not exist: .+\n$/),
    });
  });

  it('exits as a process with the code and one line about a wrong setting', async () => {
    expect(await runToEnd('admin', { args: ['account', 'list'], env: { LOG_LEVEL: 'loud' } })).toEqual({
      code: 78,
      stdout: '',
      stderr: expect.stringMatching(/^admin: LOG_LEVEL must be .+\n$/),
    });
  });
});

describe('the admin command on all stored data', () => {
  let folder: string;
  let admin: Opened['admin'];
  beforeAll(async () => void ({ folder, admin } = await openProduct({ running: true })));

  it('dumps it beside the running product, into a private file or to standard output', async () => {
    const file = join(folder, 'dump.ndjson');
    expect(await admin('dump', file)).toEqual({
      code: 0,
      stdout: '3 documents and 0 unread events dumped; back up the encryption key separately\n',
      stderr: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await admin('dump', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') });
    const process = await runToEnd('admin', { args: ['dump', '-'], env: { SVC_DATA_DIR: folder } });
    // Its checksum contains the time.
    const withoutTime = (text: string) => text.replaceAll(/"(at|sha256)":"[^"]+"/g, '');
    expect(withoutTime(process.stdout)).toBe(withoutTime(readFileSync(file, 'utf8')));
    expect(process.stderr).toMatch(/^3 documents and 0 unread events dumped/);
  });

  it('restores it into an empty folder with the same key, and never into a folder in use', async () => {
    const file = join(folder, 'dump-to-restore.ndjson');
    await admin('dump', file);
    expect(await admin('restore', file)).toMatchObject({
      code: 69,
      stderr: expect.stringContaining('in use by another process'),
    });
    const SVC_DATA_DIR = tempFolder();
    const restore = () => run(['restore', file], { SVC_DATA_DIR });
    expect(await restore()).toMatchObject({ code: 78, stderr: expect.stringContaining('encryption.key') });
    copyFileSync(join(folder, 'encryption.key'), join(SVC_DATA_DIR, 'encryption.key'));
    const stdout = '3 documents and 0 unread events restored; you can start the product\n';
    expect(await restore()).toEqual({ code: 0, stdout, stderr: '' });
    expect(await restore()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /not empty .* after a restore that failed or was interrupted, delete svcforms\.db/,
      ),
    });
    const restored = await startProcess('standalone', { env: { SVC_DATA_DIR } });
    const client = createClient({ baseUrl: restored.url, token: OWNER_KEY });
    await client.get('/api/forms', { expect: 200 });
  });

  it('leaves a store that nothing uses until a restore is complete', async () => {
    const file = join(folder, 'dump-to-interrupt.ndjson');
    await admin('dump', file);
    const lines = readFileSync(file, 'utf8');
    const SVC_DATA_DIR = tempFolder();
    copyFileSync(join(folder, 'encryption.key'), join(SVC_DATA_DIR, 'encryption.key'));
    const half = await run(['restore', '-'], { SVC_DATA_DIR }, lines.slice(0, lines.indexOf('{"end"')));
    expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('truncated') });

    const part = /^\w+: the store holds only a part of a restored dump: .* and restore again\n$/;
    const start = await runToEnd('standalone', { env: { SVC_DATA_DIR, SVC_PORT: '0' } });
    expect(start).toMatchObject({ code: 69, stderr: expect.stringMatching(part) });
    const list = await run(['account', 'list'], { SVC_DATA_DIR });
    expect(list).toMatchObject({ code: 69, stdout: '', stderr: expect.stringMatching(part) });

    for (const name of readdirSync(SVC_DATA_DIR).filter((each) => each.startsWith('svcforms.db'))) {
      rmSync(join(SVC_DATA_DIR, name));
    }
    expect(await run(['restore', file], { SVC_DATA_DIR })).toMatchObject({ code: 0 });
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR } });
    expect(await product.stop()).toBe(0);
  });

  it('compresses a dump into a file whose name says so, as a restore reads it', async () => {
    const file = join(tempFolder(), 'dump.ndjson.gz');
    expect(await admin('dump', file)).toMatchObject({ code: 0, stderr: '' });
    expect(gunzipSync(readFileSync(file)).toString()).toMatch(/^\{"svcformsDump":/);
    const SVC_DATA_DIR = tempFolder();
    copyFileSync(join(folder, 'encryption.key'), join(SVC_DATA_DIR, 'encryption.key'));
    expect(await run(['restore', file], { SVC_DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
  });

  it('exports the erasures to standard output as a restore reads them', async () => {
    const [file, erasures] = [join(tempFolder(), 'dump'), join(tempFolder(), 'erasures')];
    await admin('dump', file);
    const exported = await admin('erasures', 'export', '-');
    expect(exported).toMatchObject({ code: 0, stderr: '0 tombstones exported for "restore --erasures"\n' });
    writeFileSync(erasures, exported.stdout);
    const SVC_DATA_DIR = tempFolder();
    copyFileSync(join(folder, 'encryption.key'), join(SVC_DATA_DIR, 'encryption.key'));
    const restored = await run(['restore', file, '--erasures', erasures], { SVC_DATA_DIR });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  });

  it('creates the indexes of an upgrade', async () => {
    expect(await admin('indexes', 'ensure')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^the indexes of \d+ collections exist\n$/),
    });
  });
});

describe('the admin command on secrets', () => {
  it('encrypts them again with the first key, so that the old one can be removed', async () => {
    const [oldKey, newKey] = [generateEncryptionKey(), generateEncryptionKey()];
    const env = { ...testSettings({ apiKey: OWNER_KEY }), SVC_DATA_DIR: tempFolder() };
    const start = (keys: string) => startProcess('standalone', { env: { ...env, SVC_ENCRYPTION_KEY: keys } });
    const reseal = (keys: string) => run(['secrets', 'reseal'], { ...env, SVC_ENCRYPTION_KEY: keys });
    const webhookEndpoint = await startWebhookEndpoint();

    const before = await start(oldKey);
    const client = createClient({ baseUrl: before.url, token: OWNER_KEY });
    const { form, inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url, {
      inbound: { secret: 'an inbound secret' },
    });
    const path = `/api/forms/${form.id}/webhooks/${webhook.id}/rotate-secret`;
    const rotated = await client.post<{ secret: string }>(path, { expect: 200 });
    const headers = { 'X-Api-Key': 'k3y-0f-th3-3ndp01nt' };
    const own = path.replace('/rotate-secret', '');
    const patched = await client.patch<{ publicKey: string }>(own, {
      body: { headers, isPublicKeySigned: true },
      expect: 200,
    });
    await before.stop();

    expect(await reseal(newKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not in the list'),
    });
    expect(await reseal(`${newKey},${oldKey}`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 resealed .* 7 days after it became the first, when .*\n$/),
    });
    expect(await reseal(`${newKey},${oldKey}`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 resealed/),
    });
    const after = await start(newKey);
    const body = JSON.stringify({ email: 'ada@example.com' });
    const response = await fetch(`${after.url}/api/inbound/${form.id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${inbound.token}`,
        'x-svcforms-signature-256': signInbound(body, 'an inbound secret'),
      },
      body,
    });
    expect(response.status).toBe(202);
    const [request] = await webhookEndpoint.waitFor(1);
    const header = String(request?.headers['svc-signature']);
    expect(request?.headers['x-api-key']).toBe(headers['X-Api-Key']);
    expect(request?.headers['webhook-signature']).toMatch(/ v1a,\S{88}$/);
    const kept = await createClient({ baseUrl: after.url, token: OWNER_KEY }).get<{ publicKey: string }>(own);
    expect(kept.body.data.publicKey).toBe(patched.body.data.publicKey);
    for (const secret of [rotated.body.data.secret, webhook.secret]) {
      const now = Math.floor(Date.now() / 1000);
      expect(verifySvcSignature({ header, body: request!.rawBody, secrets: [secret], now }).ok).toBe(true);
    }
  });

  it('removes previous secrets whose key is lost, so that the current one signs alone', async () => {
    const [lost, kept] = [
      createSecretBox([generateEncryptionKey()]),
      createSecretBox([generateEncryptionKey()]),
    ];
    const { store } = openEmbeddedBackends();
    const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
    const context = webhookSecretContext('whk_1');
    const until = new Date(Date.now() + 3600_000).toISOString();
    await webhooks.insertOne({
      _id: 'whk_1',
      accountId: 'acc_1',
      secret: kept.seal('the current secret', context),
      previousSecrets: [
        { secret: lost.seal('a lost secret', context), until },
        { secret: kept.seal('the previous secret', context), until },
      ],
    } as WebhookRecord);
    const [, lostKey = ''] = lost.seal('any', context).split('.');
    const dropped: [string, number][] = [];
    const { remedies } = await resealSecrets(
      { store, secretBox: kept, now: Date.now },
      { lostKeys: [lostKey] },
      (...of) => dropped.push(of),
    );
    expect([dropped, remedies]).toEqual([[['acc_1', 1]], []]);
    const { secret = '', previousSecrets = [] } = (await webhooks.findOne({})) ?? {};
    const valid = [secret, ...previousSecrets.map((previous) => previous.secret)];
    expect(valid.map((text) => kept.open(text, context))).toEqual([
      'the current secret',
      'the previous secret',
    ]);
  });

  it('reports the secrets that it dropped before it fails', async () => {
    const [lost, other, kept] = Array.from({ length: 3 }, () =>
      createSecretBox([generateEncryptionKey()]),
    ) as [SecretBox, SecretBox, SecretBox];
    const { store } = openEmbeddedBackends();
    for (const [id, box] of [
      ['whk_1', lost],
      ['whk_2', other],
    ] as const) {
      const secret = box.seal('a secret', webhookSecretContext(id));
      await store
        .collection<WebhookRecord>(WEBHOOKS)
        .insertOne({ _id: id, accountId: 'acc_1', secret } as WebhookRecord);
    }
    const [, lostKey = ''] = lost.seal('any', '').split('.');
    const dropped: [string, number][] = [];
    const resealing = resealSecrets(
      { store, secretBox: kept, now: Date.now },
      { lostKeys: [lostKey] },
      (...of) => dropped.push(of),
    );
    await expect(resealing).rejects.toMatchObject({ code: 'UNKNOWN_KEY' });
    expect(dropped).toEqual([['acc_1', 1]]);
  });

  it('has the Slack messages of pending tasks updated, so that their buttons have the first key', async () => {
    const { store } = openEmbeddedBackends();
    const tasks = store.collection<TaskRecord>(TASKS);
    const slack = { channel: 'C1', ts: '1.2' };
    await tasks.insertMany(
      [
        { _id: 'tsk_1', status: 'awaiting', slack },
        { _id: 'tsk_2', status: 'approved', slack },
        { _id: 'tsk_3', status: 'awaiting', slack: { channel: 'C1' } },
      ].map((task) => task as TaskRecord),
    );
    const secretBox = createSecretBox([generateEncryptionKey()]);

    await resealSecrets({ store, secretBox, now: Date.now });

    expect(await tasks.find({ slackDue: { $exists: true } })).toMatchObject([{ _id: 'tsk_1' }]);
  });

  it('also encrypts a secret that is rotated while the command runs', async () => {
    const [oldKey, newKey] = [generateEncryptionKey(), generateEncryptionKey()];
    const [before, during, after] = [[oldKey], [newKey, oldKey], [newKey]].map(createSecretBox) as [
      SecretBox,
      SecretBox,
      SecretBox,
    ];
    const { store } = openEmbeddedBackends();
    const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
    const context = webhookSecretContext('whk_1');
    const secret = before.seal('the first secret', context);
    await webhooks.insertOne({ _id: 'whk_1', formId: 'frm_1', accountId: 'acc_1', secret } as WebhookRecord);
    /**
     * Rotates the secret, as the product does, between the first read of the command and its write.
     */
    async function rotate(): Promise<void> {
      const until = new Date(Date.now() + 3600_000).toISOString();
      const rotated = {
        secret: during.seal('the second secret', context),
        previousSecrets: [{ secret, until }],
      };
      await webhooks.updateOne({ _id: 'whk_1', secret }, { $set: rotated });
    }
    jest.spyOn(webhooks, 'find').mockImplementationOnce(async () => {
      const read = (await webhooks.findOne({ _id: 'whk_1' })) as WebhookRecord;
      await rotate();
      return [read];
    });
    jest
      .spyOn(store, 'collection')
      .mockImplementationOnce(() => webhooks as unknown as ReturnType<typeof store.collection>);

    expect((await resealSecrets({ store, secretBox: during, now: Date.now })).documents).toBe(1);

    const stored = await webhooks.findOne({ _id: 'whk_1' });
    expect(after.open(stored?.secret ?? '', context)).toBe('the second secret');
    expect(after.open(stored?.previousSecrets?.[0]?.secret ?? '', context)).toBe('the first secret');
  });
});
