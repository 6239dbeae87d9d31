import {
  newApiKey,
  createClient,
  freePort,
  poll,
  runToEnd,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountOut, AuditEntryOut, InvitationCreatedOut, MeOut, UserOut } from '@svcforms/contracts';
import { startProvider } from './start-provider.ts';

jest.setTimeout(60_000);

const CLAIMS = {
  ada: { email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['staff', 'leads'] },
  bob: { email: 'bob@example.com', email_verified: true, name: 'Bob', groups: ['others'] },
  cora: { email: 'Cora@Example.com', email_verified: true, name: 'Cora of the provider', groups: ['leads'] },
  owner: { email: 'owner@example.com', email_verified: true, name: 'Owner', groups: ['staff'] },
  grace: { email: 'grace@example.com', email_verified: true, name: 'Grace', groups: ['founders'] },
  late: { email: 'late@example.com', email_verified: true, groups: ['leads'], auth_time: 1_700_000_000 },
  lin: { email: 'lin@example.com', email_verified: true, name: 'Lin', groups: ['leads'] },
  uma: { email: 'uma@example.com', email_verified: true, name: 'Uma' },
  ines: { email: 'ines@example.com', email_verified: true, name: 'Ines', groups: ['staff'] },
  eve: { email: 'owner@example.com', email_verified: false, name: 'Eve', groups: ['staff'] },
  mallory: { email: 'mallory@example.com', email_verified: true, name: 'Mallory', groups: ['founders'] },
};

/** A browser without pages: it keeps cookies by host and port, and follows redirects one by one. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  async function go(url: string, init: { method?: string; body?: URLSearchParams } = {}): Promise<Response> {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)?.slice(1) ?? [];
      jar.set(name, value);
    }
    return response;
  }
  return { go, jars };
}

let product: Awaited<ReturnType<typeof startProcess>>;
let provider: Awaited<ReturnType<typeof startProvider>>;
let env: Record<string, string>;
const apiKey = newApiKey();

beforeAll(async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  provider = await startProvider({ baseUrl, claims: CLAIMS });
  env = {
    ...testSettings({ apiKey }),
    SVC_DATA_DIR: tempFolder(),
    SVC_PORT: String(port),
    SVC_BASE_URL: baseUrl,
    ...provider.env,
    SVC_OIDC_ROLE_CLAIM: 'groups',
    SVC_OIDC_ROLE_MAP: 'staff=reviewer,leads=admin,founders=owner',
  };
  product = await startProcess('standalone', { env });
}, 60_000);

/** Logs in at the provider and returns the URL with which it sends the user back. */
async function toCallback(
  browser: ReturnType<typeof createBrowser>,
  login: string,
  { to = '/settings', prompt }: { to?: string | undefined; prompt?: 'login' } = {},
) {
  const query = new URLSearchParams({ to, ...(prompt && { prompt }) });
  let response = await browser.go(`${product.url}/api/auth/oidc/start?${query.toString()}`);
  for (let steps = 0; steps < 15; steps++) {
    const location = response.headers.get('location');
    if (location) {
      const url = new URL(location, response.url || provider.issuer).href;
      if (url.startsWith(product.url)) return url;
      response = await browser.go(url);
      continue;
    }
    const html = await response.text();
    const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
    const [, asked = ''] = /name="prompt" value="([^"]+)"/.exec(html) ?? [];
    const body = new URLSearchParams({
      prompt: asked,
      ...(asked === 'login' ? { login, password: 'x' } : {}),
    });
    response = await browser.go(new URL(action, provider.issuer).href, { method: 'POST', body });
  }
  throw new Error(`the provider sent nobody back: ${response.status}`);
}

const cookieOf = ({ jars }: ReturnType<typeof createBrowser>): string =>
  [...(jars.get(new URL(product.url).host) ?? [])].map((pair) => pair.join('=')).join('; ');

async function logIn(login: string, to?: string) {
  const browser = createBrowser();
  const response = await browser.go(await toCallback(browser, login, { to }));
  const me = await browser.go(`${product.url}/api/auth/me`);
  return {
    browser,
    location: response.headers.get('location'),
    me: me.ok ? ((await me.json()) as { data: MeOut }).data : null,
  };
}

it('creates the user with the strongest role of the groups, and finds them again by sub', async () => {
  const first = await logIn('ada', '/forms?q=x#y');
  expect(first.location).toBe('/forms?q=x#y');
  expect(first.me).toMatchObject({ email: 'ada@example.com', name: 'Ada', role: 'admin' });
  for (const to of ['//evil.example/x', '/.//evil.example/x']) {
    const again = await logIn('ada', to);
    expect(again.location).toBe('/');
    expect(again.me?.id).toBe(first.me?.id);
  }
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const { body } = await client.get<AuditEntryOut[]>(`/api/audit-log?actor=${first.me?.id}`, { expect: 200 });
  expect(body.data.map(({ action }) => action)).toEqual([
    'login.succeeded',
    'login.succeeded',
    'login.succeeded',
    'user.created',
  ]);
});

it('finds the same users if a slash is added to the issuer in the settings', async () => {
  const restart = async (issuer: string) => {
    await product.stop();
    product = await startProcess('standalone', { env: { ...env, SVC_OIDC_ISSUER: issuer } });
  };
  const before = (await logIn('ada')).me;
  await restart(`${provider.issuer}/`);
  expect((await logIn('ada')).me).toEqual(before);
  const created = (await logIn('lin')).me;
  expect(created).toMatchObject({ email: 'lin@example.com', role: 'admin' });
  await restart(provider.issuer);
  expect((await logIn('lin')).me).toEqual(created);
});

it('applies a role that changed at the provider at the next login', async () => {
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const { me } = await logIn('ada');
  await client.patch<UserOut>(`/api/users/${me?.id}`, { body: { role: 'reviewer' }, expect: 200 });
  expect((await logIn('ada')).me?.role).toBe('admin');
});

it('deletes the invitations of a user whose role changed at the provider', async () => {
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const { me, browser } = await logIn('ada');
  await client.patch<UserOut>(`/api/users/${me?.id}`, { body: { role: 'owner' }, expect: 200 });
  const response = await fetch(`${product.url}/api/invitations`, {
    method: 'POST',
    headers: { cookie: cookieOf(browser), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'guest@example.com', role: 'owner' }),
  });
  expect(response.status).toBe(201);
  expect((await logIn('ada')).me?.role).toBe('admin');
  expect((await client.get('/api/invitations', { expect: 200 })).body.data).toEqual([]);
});

it('refuses users without a role, and unverified addresses', async () => {
  expect(await logIn('bob')).toMatchObject({ location: '/login?failure=role', me: null });
  expect(await logIn('eve')).toMatchObject({ location: '/login?failure=unverified', me: null });
});

it('refuses an ID token that no key of the provider signed', async () => {
  expect(await logIn('mallory')).toMatchObject({ location: '/login?failure=unavailable', me: null });
});

it('links a verified address to the user who has it, and keeps the name and the password', async () => {
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const password = 'correct horse battery 7';
  const { body } = await client.post<UserOut>('/api/users', {
    body: { email: 'cora@example.com', name: 'Cora', role: 'reviewer', password },
    expect: 201,
  });
  const { me } = await logIn('cora');
  expect(me).toMatchObject({ id: body.data.id, name: 'Cora', role: 'admin' });
  const rows = await client.get<AuditEntryOut[]>(`/api/audit-log?actor=${body.data.id}`, { expect: 200 });
  const linked = rows.body.data.find(({ action }) => action === 'user.updated');
  expect(linked).toMatchObject({ target: { id: body.data.id }, changes: { singleSignOn: {} } });
  const login = { email: 'cora@example.com', password };
  await client.post('/api/auth/login', { body: login, expect: 200 });
});

it('links the last owner, who stays one although the groups say otherwise', async () => {
  const { me } = await logIn('owner');
  expect(me).toMatchObject({ email: 'owner@example.com', role: 'owner' });
});

it('takes each response once, and only in the browser that began the login', async () => {
  const browser = createBrowser();
  const url = await toCallback(browser, 'ada');
  const stolen = await createBrowser().go(url);
  expect(stolen.headers.get('location')).toBe('/login?failure=expired');
  expect((await browser.go(url)).headers.get('location')).toBe('/settings');
  expect((await browser.go(url)).headers.get('location')).toBe('/login?failure=expired');
  const other = await toCallback(browser, 'ada');
  const forged = new URL(other);
  forged.searchParams.set('code', 'forged');
  expect((await browser.go(forged.href)).headers.get('location')).toBe('/login?failure=expired');
  // The code of one browser with the state of another one.
  const theirs = new URL(await toCallback(createBrowser(), 'ada'));
  const mixed = new URL(await toCallback(browser, 'ada'));
  mixed.searchParams.set('code', theirs.searchParams.get('code') ?? '');
  expect((await browser.go(mixed.href)).headers.get('location')).toBe('/login?failure=expired');
});

it('finishes the logins that one browser has begun in several tabs, in any order', async () => {
  const browser = createBrowser();
  const [first, second] = [await toCallback(browser, 'ada'), await toCallback(browser, 'ada')];
  for (const url of [second, first]) {
    expect((await browser.go(url)).headers.get('location')).toBe('/settings');
    expect((await browser.go(url)).headers.get('location')).toBe('/login?failure=expired');
  }
});

it('asks the provider for the password again where a recent login is needed', async () => {
  const { browser } = await logIn('ada');
  const start = (query: string) => browser.go(`${product.url}/api/auth/oidc/start?${query}`);
  const url = new URL((await start('prompt=login')).headers.get('location') ?? '');
  expect(url.searchParams.get('prompt')).toBe('login');
  expect(new URL((await start('to=/')).headers.get('location') ?? '').searchParams.has('prompt')).toBe(false);
  expect((await start('prompt=none')).status).toBe(422);
  const back = await browser.go(await toCallback(browser, 'ada', { prompt: 'login' }));
  expect(back.headers.get('location')).toBe('/settings');
});

it('counts the time of the authentication that the provider reports', async () => {
  const { browser, me } = await logIn('late');
  expect(me?.role).toBe('admin');
  const headers = { cookie: cookieOf(browser) };
  const created = await createClient({ baseUrl: product.url }).post('/api/keys', {
    body: { name: 'k', scopes: ['forms:read'] },
    headers,
  });
  expect([created.status, created.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

it('accepts the invitation of a verified address, with the role of the groups', async () => {
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const body = { email: 'ines@example.com', role: 'admin' };
  const invited = await client.post<InvitationCreatedOut>('/api/invitations', { body, expect: 201 });
  const { me } = await logIn('ines');
  expect(me).toMatchObject({ email: body.email, role: 'reviewer' });
  expect((await client.get<unknown[]>('/api/invitations', { expect: 200 })).body.data).toEqual([]);
  const token = invited.body.data.link?.split('#')[1];
  expect((await client.post('/api/invitations/preview', { body: { token } })).status).toBe(404);
  const { body: log } = await client.get<AuditEntryOut[]>(`/api/audit-log?actor=${me?.id}`, { expect: 200 });
  expect(log.data.map(({ action }) => action)).toEqual(['login.succeeded', 'invitation.accepted']);
});

describe('required single sign-on', () => {
  const client = () => createClient({ baseUrl: product.url, token: apiKey });
  const owner = { email: 'owner@example.com', password: 'owner password' };
  const patch = async (browser: ReturnType<typeof createBrowser>, singleSignOnRequired: boolean) => {
    return createClient({ baseUrl: product.url }).patch<AccountOut>('/api/account/login-policy', {
      body: { singleSignOnRequired },
      headers: { cookie: cookieOf(browser) },
    });
  };

  it('leaves the provider as the only way in, and keeps an owner who can use it', async () => {
    const { browser, me } = await logIn('grace');
    expect(me?.role).toBe('owner');
    expect(await patch(browser, true)).toMatchObject({
      status: 200,
      body: { data: { singleSignOnRequired: true } },
    });
    const refused = await client().post('/api/auth/login', { body: owner });
    expect([refused.status, refused.body.code]).toEqual([403, 'SINGLE_SIGN_ON_REQUIRED']);
    expect((await logIn('cora')).me).toMatchObject({ email: 'cora@example.com', role: 'admin' });
    // The groups make the other owner a reviewer, and leave one owner.
    expect((await logIn('owner')).me?.role).toBe('reviewer');
    expect((await patch(browser, false)).status).toBe(200);
    await client().post('/api/auth/login', { body: owner, expect: 200 });
    expect((await patch(browser, true)).status).toBe(200);
  });

  it('ends by the admin command when the provider is gone from the settings', async () => {
    const { SVC_OIDC_ISSUER: _, ...half } = env;
    await product.stop();
    const failed = await runToEnd('standalone', { env: half });
    expect(failed.code).not.toBe(0);
    expect(failed.stdout + failed.stderr).toContain('SVC_OIDC_ISSUER must be set too');
    const without = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SVC_OIDC_')));
    product = await startProcess('standalone', { env: { ...without, LOG_LEVEL: 'warn' } });
    await poll(async () => product.output().includes('oidc.missing'), { what: 'the warning' });
    const refused = await client().post('/api/auth/login', { body: owner });
    const [, command = ''] =
      /npm run admin -- (account set-single-sign-on \S+ optional)/.exec(refused.body.message ?? '') ?? [];
    const { code } = await runToEnd('admin', { args: command.split(' '), env: without });
    expect(code).toBe(0);
    await client().post('/api/auth/login', { body: owner, expect: 200 });
    const { body } = await client().get<AuditEntryOut[]>(
      '/api/audit-log?action=account.login_policy_changed&limit=1',
    );
    expect(body.data).toMatchObject([
      { actor: { type: 'system' }, changes: { singleSignOnRequired: { from: true, to: false } } },
    ]);
    await product.stop();
    const { SVC_OIDC_ROLE_CLAIM: _claim, SVC_OIDC_ROLE_MAP: _map, ...withoutRoles } = env;
    product = await startProcess('standalone', { env: withoutRoles });
  });
});

it('gives the role of the invitation where the provider decides none', async () => {
  expect(await logIn('uma')).toMatchObject({ location: '/login?failure=role', me: null });
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const body = { email: 'uma@example.com', role: 'admin' };
  await client.post('/api/invitations', { body, expect: 201 });
  expect((await logIn('uma')).me).toMatchObject({ ...body, name: 'Uma' });
});

it('says so when the provider is down, and passwords still work', async () => {
  const browser = createBrowser();
  const url = await toCallback(browser, 'ada');
  await provider.stop();
  expect((await browser.go(url)).headers.get('location')).toBe('/login?failure=unavailable');
  const body = JSON.stringify({ email: 'owner@example.com', password: 'owner password' });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${product.url}/api/auth/login`, { method: 'POST', headers, body })).status).toBe(200);
});

it("logs why the provider can't be used", async () => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ issuer: 'https://id.example/other' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/forms`;
  const other = await startProcess('standalone', {
    env: { SVC_OIDC_ISSUER: issuer, SVC_OIDC_CLIENT_ID: 'svcforms', LOG_LEVEL: 'info' },
  });
  const refusedBecause = async (cause: string) => {
    await fetch(`${other.url}/api/auth/oidc/start`, { redirect: 'manual' });
    await poll(async () => other.output().includes(`"cause":"${cause}`), { what: cause });
  };
  await refusedBecause(`SVC_OIDC_ISSUER is ${issuer}, but its metadata names https://id.example/other"`);
  server.closeAllConnections();
  server.close();
  await refusedBecause('fetch failed: connect ECONNREFUSED 127.0.0.1:');
  await other.stop();
});
