import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  atEnd,
  poll,
  startWebhookEndpoint,
  testCertificate,
  type EndpointResponse,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import {
  approve,
  authorizationRequest,
  createAgentProvider,
  exchangeCode,
  openBrowser,
  openRequest,
  readConsent,
  REDIRECT_URI,
  refresh,
  startProduct,
  toolNames,
  type AgentProduct,
  type UserBrowser,
} from './support.ts';

jest.setTimeout(120_000);

let product: AgentProduct;
let browser: UserBrowser;
let endpoint: WebhookEndpoint;
const documents = new Map<string, (url: string) => EndpointResponse | 'hang'>();

beforeAll(async () => {
  const { key, cert, caFile } = await testCertificate(['127.0.0.1']);
  endpoint = await startWebhookEndpoint({
    tls: { key, cert },
    respond: ({ path }) => documents.get(path)?.(endpoint.url + path) ?? { status: 404 },
  });
  product = await startProduct({ SVC_TARGET_CA: caFile, SVC_TRUST_PROXY: '1' });
  browser = await openBrowser(product.baseUrl);
});

let count = 0;
/** Publishes a document and returns its URL. */
function publish(
  change: (document: Record<string, unknown>) => object = (document) => document,
  response: Partial<{ status: number; type: string; body: string }> = {},
): string {
  const path = `/agents/${++count}.json`;
  documents.set(path, (url) => ({
    status: response.status ?? 200,
    headers: { 'content-type': response.type ?? 'application/json' },
    body:
      response.body ??
      JSON.stringify(
        change({ client_id: url, client_name: 'Published agent', redirect_uris: [REDIRECT_URI] }),
      ),
  }));
  return endpoint.url + path;
}
const fetches = (clientId: string) =>
  endpoint.requests.filter(({ path }) => endpoint.url + path === clientId).length;

it('is announced by the authorization server', async () => {
  const response = await fetch(`${product.baseUrl}/.well-known/oauth-authorization-server`);
  expect(await response.json()).toMatchObject({ client_id_metadata_document_supported: true });
});

it('connects the client of the MCP SDK without a registration', async () => {
  const clientMetadataUrl = publish();
  const opened: URL[] = [];
  const agent = createAgentProvider((url) => void opened.push(url), { clientMetadataUrl });
  const serverUrl = `${product.baseUrl}/api/mcp`;
  expect(await auth(agent.provider, { serverUrl })).toBe('REDIRECT');
  expect(agent.clientId()).toBe(clientMetadataUrl);
  const [url] = opened;
  const back = await approve(
    browser,
    await openRequest(browser, (url?.pathname ?? '') + (url?.search ?? '')),
  );
  const authorizationCode = back.searchParams.get('code') ?? '';
  expect(await auth(agent.provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED');
  expect(await toolNames(product.baseUrl, agent.tokens()?.access_token ?? '')).toContain('request_approval');
  expect(fetches(clientMetadataUrl)).toBe(1);
});

it('shows the host of the document, and fetches it once for tokens, refreshes and another request', async () => {
  const clientId = publish();
  const { url, verifier } = authorizationRequest(product.baseUrl, clientId);
  const consent = await openRequest(browser, url);
  expect(await readConsent(browser, consent)).toMatchObject({
    name: 'Published agent',
    clientHost: new URL(endpoint.url).host,
    redirectHost: 'localhost',
  });
  const code = (await approve(browser, consent)).searchParams.get('code') ?? '';
  // Its server may be down afterwards.
  documents.clear();
  const { body } = await exchangeCode(product.baseUrl, { clientId, code, verifier });
  const renewed = await refresh(product.baseUrl, { clientId, refreshToken: body.refresh_token });
  expect(renewed.status).toBe(200);
  await openRequest(browser, authorizationRequest(product.baseUrl, clientId).url);
  expect(fetches(clientId)).toBe(1);
});

const REFUSED: [string, () => string, string | RegExp][] = [
  [
    'is of another client',
    () => publish((all) => ({ ...all, client_id: `${endpoint.url}/other.json` })),
    'its own URL as client_id',
  ],
  ['has no client_id', () => publish(({ client_id: _id, ...rest }) => rest), 'its own URL as client_id'],
  ['has no name', () => publish(({ client_name: _name, ...rest }) => rest), 'a client_name'],
  ['has no redirect URIs', () => publish((all) => ({ ...all, redirect_uris: [] })), 'redirect_uris'],
  [
    'has a redirect URI of an unsafe kind',
    () => publish((all) => ({ ...all, redirect_uris: ['javascript:alert(1)'] })),
    'redirect URI',
  ],
  ['has a secret', () => publish((all) => ({ ...all, client_secret: 'x' })), 'no client_secret'],
  ['is too large', () => publish((all) => ({ ...all, padding: 'x'.repeat(20_000) })), 'bytes'],
  ['is no JSON', () => publish(undefined, { body: '<html>' }), 'JSON object'],
  ['has the wrong type', () => publish(undefined, { type: 'text/html' }), 'application/json'],
  ['is missing', () => publish(undefined, { status: 404 }), 'status 404'],
  ['redirects', () => publish(undefined, { status: 302 }), 'status 302'],
  ['has a plain http URL', () => publish().replace('https:', 'http:'), 'begin with https://'],
  ['has a URL without a path', () => `${endpoint.url}/`, 'have a path'],
  ['has a URL with dot segments', () => `${endpoint.url}/a/../b.json`, 'dot segments'],
  ['has a URL with a login', () => publish().replace('https://', 'https://u:p@'), 'no login'],
  ['is at a private address', () => 'https://10.0.0.1/agent.json', 'blocked_target'],
  ['is at the metadata service of a cloud', () => 'https://169.254.169.254/agent.json', 'blocked_target'],
  ['is at a host without an address', () => 'https://nowhere.invalid/agent.json', "can't be fetched"],
];
it.each(REFUSED)('refuses a document that %s', async (_, clientIdOf, reason) => {
  const { url } = authorizationRequest(product.baseUrl, clientIdOf());
  const response = await browser.go(url);
  const page = (await response.text()).replaceAll('&#39;', "'");
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  expect(page).toMatch(reason);
});

it('refuses a redirect URI that the document lacks, and a document that was never authorized', async () => {
  const clientId = publish();
  const changes = { redirect_uri: 'https://evil.example/callback' };
  const refused = await browser.go(authorizationRequest(product.baseUrl, clientId, changes).url);
  expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
  const other = publish();
  const token = await exchangeCode(product.baseUrl, { clientId: other, code: 'x', verifier: 'y' });
  expect(token).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  // The token endpoint, which anybody may call as often as they like, fetches nothing.
  expect(fetches(other)).toBe(0);
});

it('gives up on a server that never responds', async () => {
  const path = '/agents/slow.json';
  documents.set(path, () => 'hang');
  const response = await browser.go(authorizationRequest(product.baseUrl, endpoint.url + path).url);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('timeout')]);
});

it('lets one IPv6 site wait for two documents, and other clients for their own', async () => {
  documents.set('/agents/hanging.json', () => 'hang');
  const open = (clientId: string, ip: string) =>
    fetch(product.baseUrl + authorizationRequest(product.baseUrl, clientId).url, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': ip },
    });
  const hanging = endpoint.url + '/agents/hanging.json';
  const waiting = [open(hanging, '2001:db8:1:1::1'), open(hanging, '2001:db8:1:2::1')];
  await poll(() => fetches(hanging) === 2, { what: 'the fetches of the site' });
  const refused = await open(publish(), '2001:db8:1:3::1');
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('Too many documents'),
  ]);
  expect((await open(publish(), '2001:db8:2:1::1')).status).toBe(303);
  await Promise.all(waiting);
});

atEnd(() => documents.clear());
