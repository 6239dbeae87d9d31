import { generateEncryptionKey, signInbound, verifySvcSignature } from '@svcforms/signing';
import {
  createClient,
  createFormWithWebhook,
  runToEnd,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testSettings,
  type ProductProcess,
} from '@svcforms/test-kit';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(60_000);

const OWNER_KEY = `svc_key_${'o'.repeat(43)}`;
const FIRST_ACCOUNT = 'acc_00000000000000000000000001';

/** A folder in which the product has run, and the product itself, stopped or not. */
async function openProduct({ running }: { running: boolean }) {
  const folder = tempFolder();
  const product = await startProcess('standalone', {
    env: { SVC_DATA_DIR: folder, SVC_BOOTSTRAP_API_KEY: OWNER_KEY },
  });
  if (!running) await product.stop();
  const admin = (...args: string[]) => runToEnd('admin', { args, env: { SVC_DATA_DIR: folder } });
  return { folder, product, admin };
}

/** The status that a key is answered with by the product, which is started where it doesn't run. */
async function statusOf(product: ProductProcess, { running, key }: { running: boolean; key: string }) {
  if (!running) await product.restart();
  const { status } = await createClient({ baseUrl: product.url, token: key }).get('/api/forms');
  if (!running) await product.stop();
  return status;
}

describe.each([
  ['while the product is stopped', { running: false }],
  ['while the product runs', { running: true }],
])('the admin command %s', (_, state) => {
  let product: ProductProcess;
  let folder: string;
  let admin: Awaited<ReturnType<typeof openProduct>>['admin'];
  beforeAll(async () => void ({ folder, product, admin } = await openProduct(state)));

  it('lists, makes and changes accounts', async () => {
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

  it('adds what it changes to the audit log of the account, without keys and passwords', async () => {
    await admin('account', 'set-plan', FIRST_ACCOUNT, 'pro');
    const user = ['--name', 'Audited', '--email', 'audited@example.com', '--password-stdin'];
    await runToEnd('admin', {
      args: ['user', 'create', ...user, '--account', FIRST_ACCOUNT],
      env: { SVC_DATA_DIR: folder },
      input: 'a password of theirs\n',
    });
    await admin('key', 'create', '--name', 'Audited', '--scopes', 'forms:read', '--account', FIRST_ACCOUNT);
    await admin('account', 'set-plan', FIRST_ACCOUNT, 'business');
    if (!state.running) await product.restart();
    const { body, text } = await createClient({ baseUrl: product.url, token: OWNER_KEY }).get(
      '/api/audit-log?limit=4',
      { expect: 200 },
    );
    if (!state.running) await product.stop();
    const actor = { type: 'system', id: null, name: 'admin command' };
    expect(body.data).toMatchObject([
      { action: 'account.plan_changed', changes: { plan: { from: 'pro', to: 'business' } } },
      { action: 'key.created', actor, ip: null, target: { type: 'key', name: 'Audited' } },
      { action: 'user.created', actor, target: { type: 'user', name: 'Audited' } },
      { action: 'account.plan_changed', actor, target: { type: 'account', id: FIRST_ACCOUNT } },
    ]);
    expect(text).not.toContain('a password of theirs');
    expect(text).not.toContain('svc_key_');
  });

  it('makes a key that the product takes', async () => {
    const args = ['key', 'create', '--name', 'CRM', '--scopes', 'forms:read,submissions:read'];
    const { code, stdout } = await admin(...args, '--account', FIRST_ACCOUNT);
    const [, key = ''] = /^key_\w{26} of acc_\w{26}\nkey (\S+) \(shown only now\)\n$/.exec(stdout) ?? [];
    expect({ code, key }).toEqual({ code: 0, key: expect.stringMatching(/^svc_key_[\w-]{43}$/) });
    expect(await statusOf(product, { ...state, key })).toBe(200);
  });

  it('makes a key that the product takes no more once it has expired', async () => {
    const args = ['key', 'create', '--name', 'Old', '--expires', '2020-01-31T00:00:00Z'];
    const { stdout } = await admin(...args, '--account', FIRST_ACCOUNT);
    const [key = ''] = /svc_key_\S+/.exec(stdout) ?? [];
    expect(await statusOf(product, { ...state, key })).toBe(401);
  });

  it('makes users, one for each e-mail', async () => {
    const args = [
      'user',
      'create',
      '--email',
      'Ada@Example.com',
      '--name',
      'Ada',
      '--account',
      FIRST_ACCOUNT,
    ];
    const { stdout } = await admin(...args, '--role', 'admin');
    expect(stdout).toMatch(
      /^usr_\w{26} ada@example\.com admin of acc_\w{26}\npassword [\w-]{43} \(shown only now\)\n$/,
    );
    expect(await admin(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'admin: A user with the email ada@example.com already exists\n',
    });
  });

  it('takes a password from stdin, judged like every new one', async () => {
    const args = [
      'user',
      'create',
      '--email',
      'bob@example.com',
      '--name',
      'Bob',
      '--password-stdin',
      '--account',
      FIRST_ACCOUNT,
    ];
    const create = (input: string) => runToEnd('admin', { args, env: { SVC_DATA_DIR: folder }, input });
    for (const [input, says] of [
      ['', 'must have at least 12 characters'],
      ['password1234\n', 'is too easy to guess'],
    ] as const) {
      const refused = await create(input);
      expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining(`the password ${says}`)]);
    }
    const { code, stdout } = await create('correct horse battery\n');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^usr_\w{26} bob@example\.com \S+ of \S+\n$/)]);
    if (!state.running) await product.restart();
    const body = { email: 'bob@example.com', password: 'correct horse battery' };
    await createClient({ baseUrl: product.url }).post('/api/auth/login', { body, expect: 200 });
    if (!state.running) await product.stop();
  });

  it('leaves the product as it was', async () => {
    expect(await statusOf(product, { ...state, key: OWNER_KEY })).toBe(200);
  });
});

describe('the admin command', () => {
  let folder: string;
  beforeAll(async () => void ({ folder } = await openProduct({ running: false })));

  it.each([
    ['without a command', [], 'There is no command ""'],
    ['with another command', ['account', 'rename'], 'There is no command "account rename"'],
    ['with another option', ['account', 'list', '--nmae', 'x'], "Unknown option '--nmae'"],
    ['without a name', ['account', 'create'], '--name is required'],
    [
      'with another plan',
      ['account', 'create', '--name', 'x', '--plan', 'gold'],
      'plan must be one of: free, ',
    ],
    [
      'without a plan',
      ['account', 'set-plan', FIRST_ACCOUNT],
      'account set-plan requires an account and a plan',
    ],
    ['with another scope', ['key', 'create', '--name', 'x', '--scopes', 'all'], 'scopes must be one of: '],
    [
      'with no time',
      ['key', 'create', '--name', 'x', '--expires', 'soon'],
      '--expires must be a time such as ',
    ],
    [
      'with no e-mail',
      ['user', 'create', '--name', 'x', '--email', 'ada'],
      '--email must be an email address',
    ],
    ['to dump without a file', ['dump'], 'dump requires a file, or - for standard output'],
    ['to restore without a file', ['restore'], 'restore requires a file, or - for standard input'],
    [
      'to publish once more since no time',
      ['events', 'republish', '--since', 'soon'],
      '--since must be a time',
    ],
    [
      'to publish once more what is forgotten',
      ['events', 'republish', '--since', '2020-01-31T00:00:00Z'],
      '--since must be at most 29 days ago',
    ],
    [
      'with a password that others can read',
      ['user', 'create', '--name', 'x', '--email', 'a@b.c', '--password', 'correct horse battery'],
      '--password is not supported, because other users of the machine can read command lines: use --password-stdin',
    ],
  ])('%s ends with 64, a line that says why, and its usage', async (_, args, line) => {
    const { code, stdout, stderr } = await runToEnd('admin', { args, env: { SVC_DATA_DIR: folder } });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr.split('\n')[0]).toContain(`admin: ${line}`);
    expect(stderr).toContain('\n\nUsage: npm run admin -- COMMAND\n');
  });

  it('says in one line what is not there', async () => {
    const env = { SVC_DATA_DIR: folder };
    const nobody = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
    expect(await runToEnd('admin', { args: ['account', 'set-plan', nobody, 'pro'], env })).toEqual({
      code: 1,
      stdout: '',
      stderr: `admin: There is no account ${nobody}; "account list" lists all accounts\n`,
    });
  });

  it.each([
    [
      'the product never ran',
      { SVC_DATA_DIR: '/nowhere' },
      /^admin: \/nowhere\/svcforms\.db does not exist: .+\n$/,
    ],
    ['a setting is wrong', { LOG_LEVEL: 'loud' }, /^admin: LOG_LEVEL must be .+\n$/],
  ])('ends with 78 and one line where %s', async (_, env, line) => {
    const { code, stderr } = await runToEnd('admin', { args: ['account', 'list'], env });
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(line) });
  });
});

describe('the admin command on all that is stored', () => {
  it('dumps it beside the running product, into a file of its owner’s or to standard output', async () => {
    const { folder, admin } = await openProduct({ running: true });
    const file = join(folder, 'dump.ndjson');
    expect(await admin('dump', file)).toEqual({
      code: 0,
      stdout: '3 documents and 0 unread events dumped; back up the encryption key separately\n',
      stderr: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await admin('dump', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') });
    const { stdout, stderr } = await admin('dump', '-');
    const withoutTime = (text: string) => text.replace(/"at":"[^"]+"/, '');
    expect(withoutTime(stdout)).toBe(withoutTime(readFileSync(file, 'utf8')));
    expect(stderr).toMatch(/^3 documents and 0 unread events dumped/);
  });

  it('restores it into a folder with the same key, and nothing into one that is in use', async () => {
    const { folder, admin } = await openProduct({ running: true });
    const file = join(folder, 'dump.ndjson');
    await admin('dump', file);
    expect(await admin('restore', file)).toMatchObject({
      code: 69,
      stderr: expect.stringContaining('in use by another process'),
    });
    const SVC_DATA_DIR = tempFolder();
    const restore = () => runToEnd('admin', { args: ['restore', file], env: { SVC_DATA_DIR } });
    expect(await restore()).toMatchObject({ code: 78, stderr: expect.stringContaining('encryption.key') });
    copyFileSync(join(folder, 'encryption.key'), join(SVC_DATA_DIR, 'encryption.key'));
    const stdout = '3 documents and 0 unread events restored; you can start the product\n';
    expect(await restore()).toEqual({ code: 0, stdout, stderr: '' });
    expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR } });
    expect(await statusOf(product, { running: true, key: OWNER_KEY })).toBe(200);
  });

  it('makes the indexes that an upgrade will want', async () => {
    const { admin } = await openProduct({ running: true });
    expect(await admin('indexes', 'ensure')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^the indexes of \d+ collections exist\n$/),
    });
  });
});

describe('the admin command on secrets', () => {
  it('reseals them with the first key, so that the old one can be removed', async () => {
    const folder = tempFolder();
    const [oldKey, newKey] = [generateEncryptionKey(), generateEncryptionKey()];
    const env = { ...testSettings({ apiKey: OWNER_KEY }), SVC_DATA_DIR: folder };
    const start = (keys: string) => startProcess('standalone', { env: { ...env, SVC_ENCRYPTION_KEY: keys } });
    const reseal = (keys: string) =>
      runToEnd('admin', { args: ['secrets', 'reseal'], env: { ...env, SVC_ENCRYPTION_KEY: keys } });
    const webhookEndpoint = await startWebhookEndpoint();

    const before = await start(oldKey);
    const client = createClient({ baseUrl: before.url, token: OWNER_KEY });
    const { form, inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url, {
      inbound: { secret: 'an inbound secret' },
    });
    const path = `/api/forms/${form.id}/webhooks/${webhook.id}/rotate-secret`;
    const rotated = await client.post<{ secret: string }>(path, { expect: 200 });
    await before.stop();

    expect(await reseal(newKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not in the list'),
    });
    expect(await reseal(`${newKey},${oldKey}`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 resealed/),
    });
    expect(await reseal(`${newKey},${oldKey}`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 resealed/),
    });
    const after = await start(newKey);
    const body = JSON.stringify({ email: 'ada@example.com' });
    const answer = await fetch(`${after.url}/api/inbound/${form.id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${inbound.token}`,
        'x-svcforms-signature-256': signInbound(body, 'an inbound secret'),
      },
      body,
    });
    expect(answer.status).toBe(202);
    const [request] = await webhookEndpoint.waitFor(1);
    const header = String(request?.headers['svc-signature']);
    for (const secret of [rotated.body.data.secret, webhook.secret]) {
      const now = Math.floor(Date.now() / 1000);
      expect(verifySvcSignature({ header, body: request!.rawBody, secrets: [secret], now }).ok).toBe(true);
    }
  });
});
