import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AGENT_SCOPES, SCOPES, type AuditEntryOut, type TaskOut } from '@svcforms/contracts';
import {
  atEnd,
  createClient,
  createForm,
  describeWith,
  poll,
  sharedMongo,
  startNats,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import {
  approve,
  authorizationRequest,
  callMcp,
  connectAgent,
  exchangeCode,
  listAgents,
  newUser,
  openBrowser,
  openRequest,
  readConsent,
  REDIRECT_URI,
  refresh,
  register,
  sendForm,
  startProduct,
  toolNames,
  type AgentProduct,
  type UserBrowser,
  createAgentProvider,
} from './support.ts';

jest.setTimeout(120_000);

const LEAST_TOOLS = [
  'cancel_task',
  'create_task',
  'get_form_schema',
  'get_task',
  'list_forms',
  'list_tasks',
  'request_approval',
  'wait_for_task',
];

function describeAuthorization(name: string, start: () => Promise<AgentProduct>): void {
  describe(name, () => {
    let product: AgentProduct;
    let browser: UserBrowser;
    let clientId: string;
    beforeAll(async () => {
      product = await start();
      browser = await openBrowser(product.baseUrl);
      clientId = (await register(product.baseUrl)).body.client_id;
    });

    /** A code that the user has approved, with its verifier. */
    async function anApprovedCode(changes: Readonly<Record<string, string | undefined>> = {}) {
      const { url, verifier } = authorizationRequest(product.baseUrl, clientId, changes);
      const back = await approve(browser, await openRequest(browser, url));
      return { clientId, code: back.searchParams.get('code') ?? '', verifier, back };
    }

    /** The error with which the browser comes back to the agent. */
    async function errorOf(changes: Readonly<Record<string, string | undefined>>): Promise<string | null> {
      const { url } = authorizationRequest(product.baseUrl, clientId, changes);
      const response = await browser.go(url);
      const location = response.headers.get('location') ?? '';
      return location.startsWith(REDIRECT_URI)
        ? new URL(location.replace('#', '?')).searchParams.get('error')
        : `page ${response.status}`;
    }

    /** Denies the request and returns the URL with which the browser comes back to the agent. */
    async function deny(consent: string): Promise<URL> {
      const response = await browser.go(`${consent}/deny`, { method: 'POST' });
      const { data } = (await response.json()) as { data: { redirectTo: string } };
      return new URL((await browser.go(data.redirectTo)).headers.get('location') ?? '');
    }

    it('connects the client of the MCP SDK, which has nothing but the URL', async () => {
      const { baseUrl, client } = product;
      let opened: URL | undefined;
      const agent = createAgentProvider((url) => (opened = url));
      const serverUrl = new URL(`${baseUrl}/api/mcp`);
      const transportOf = () =>
        new StreamableHTTPClientTransport(serverUrl, { authProvider: agent.provider });
      const mcp = new McpClient({ name: 'agent', version: '1' });
      await expect(mcp.connect(transportOf())).rejects.toThrow('Unauthorized');
      const request = opened ?? new URL('about:blank');
      expect(Object.fromEntries(request.searchParams)).toMatchObject({
        resource: `${baseUrl}/api/mcp`,
        scope: 'forms:read tasks:create tasks:read',
        code_challenge_method: 'S256',
      });
      const consent = await openRequest(browser, request.href);
      expect(await readConsent(browser, consent)).toMatchObject({
        name: 'SDK agent',
        redirectHost: 'localhost',
        account: { id: expect.stringMatching(/^acc_/) },
        scopes: ['forms:read', 'tasks:create', 'tasks:read'],
        missingScopes: [],
      });
      const back = await approve(browser, consent);
      expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI);
      expect(back.searchParams.get('iss')).toBe(baseUrl);
      const authorizationCode = back.searchParams.get('code') ?? '';
      expect(await auth(agent.provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED');

      const connected = new McpClient({ name: 'agent', version: '1' });
      atEnd(() => connected.close());
      await connected.connect(transportOf());
      const { tools } = await connected.listTools();
      expect(tools.map((tool) => tool.name).sort()).toEqual(LEAST_TOOLS);
      const form = await createForm(client, { fields: [] });
      const { structuredContent } = await connected.callTool({
        name: 'request_approval',
        arguments: { formId: form.id, title: 'Ship it?', waitSeconds: 0 },
      });
      const { id } = structuredContent as { id: string };
      const agents = await listAgents(client);
      const mine = agents.find((one) => one.name === 'SDK agent');
      expect((await client.get<TaskOut>(`/api/mcp/tasks/${id}`)).body.data).toMatchObject({
        createdBy: mine?.id,
        createdByName: 'SDK agent',
      });
      expect(mine).toMatchObject({
        redirectHost: 'localhost',
        scopes: ['forms:read', 'tasks:create', 'tasks:read'],
        user: { id: expect.stringMatching(/^usr_/) },
      });

      // After a refresh by the SDK, the old refresh token is invalid.
      const before = agent.tokens();
      expect(await auth(agent.provider, { serverUrl })).toBe('AUTHORIZED');
      expect(agent.tokens()?.refresh_token).not.toBe(before?.refresh_token);
      expect(await toolNames(baseUrl, agent.tokens()?.access_token ?? '')).toEqual(LEAST_TOOLS);
    });

    it('creates tasks with a policy on which the user who connected it cannot vote', async () => {
      const { baseUrl, client } = product;
      const form = await createForm(client, { fields: [] });
      const body = {
        email: 'second@example.com',
        name: 'Second',
        role: 'admin',
        password: 'correct horse battery',
      };
      await client.post('/api/users', { body, expect: 201 });
      const { tokens } = await connectAgent({ baseUrl }, { browser });
      const created = await callMcp(baseUrl, tokens.access_token, 'tools/call', {
        name: 'create_task',
        arguments: { formId: form.id, policy: { approvals: 1 } },
      });
      const { structuredContent } = created.result ?? {};
      const { id } = structuredContent as { id: string };
      const decision = { method: 'POST', body: { outcome: 'approved' } };
      const own = await browser.go(`/api/mcp/tasks/${id}/decision`, decision);
      expect([own.status, await own.json()]).toMatchObject([
        403,
        { code: 'NOT_A_REVIEWER', reason: 'creator' },
      ]);
    });

    it('names its metadata in the 401 of the MCP server', async () => {
      const { baseUrl } = product;
      const url = `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`;
      const { status, challenge } = await callMcp(baseUrl, undefined, 'tools/list');
      expect({ status, challenge }).toEqual({
        status: 401,
        challenge: `Bearer resource_metadata="${url}", scope="forms:read tasks:create tasks:read"`,
      });
      const unknown = await callMcp(baseUrl, `svc_oat_${'a'.repeat(43)}`, 'tools/list');
      expect(unknown.status).toBe(401);
      expect(unknown.challenge).toContain('error="invalid_token", resource_metadata=');
      expect(await (await fetch(url)).json()).toMatchObject({
        resource: `${baseUrl}/api/mcp`,
        authorization_servers: [baseUrl],
        scopes_supported: AGENT_SCOPES,
      });
      const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toMatchObject({
        issuer: baseUrl,
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    });

    it('keeps accepting API keys', async () => {
      expect(await toolNames(product.baseUrl, product.apiKey)).toContain('get_submission');
    });

    it.each([
      ['another verifier', { code_verifier: 'x'.repeat(43) }],
      ['no verifier', { code_verifier: '' }],
      ['another redirect URI', { redirect_uri: 'http://127.0.0.1:7777/other' }],
      ['another resource', { resource: 'https://other.example/api/mcp' }],
    ])('gives no tokens for a code with %s', async (_, changes) => {
      const { status, body } = await exchangeCode(product.baseUrl, await anApprovedCode(), changes);
      expect(status).toBe(400);
      expect(body.error).toMatch(/^(invalid_grant|invalid_request|invalid_target)$/);
      expect(body).not.toHaveProperty('access_token');
    });

    it('gives no tokens to another client', async () => {
      const other = (await register(product.baseUrl)).body.client_id;
      const { status } = await exchangeCode(product.baseUrl, {
        ...(await anApprovedCode()),
        clientId: other,
      });
      expect(status).toBe(400);
    });

    it('cuts the agent off when its code is used again', async () => {
      const given = await anApprovedCode();
      const first = await exchangeCode(product.baseUrl, given);
      expect(first.status).toBe(200);
      expect(await toolNames(product.baseUrl, first.body.access_token)).toEqual(LEAST_TOOLS);
      expect((await exchangeCode(product.baseUrl, given)).body.error).toBe('invalid_grant');
      expect((await callMcp(product.baseUrl, first.body.access_token, 'tools/list')).status).toBe(401);
      const refreshToken = first.body.refresh_token;
      expect((await refresh(product.baseUrl, { clientId, refreshToken })).status).toBe(400);
    });

    it('gives tokens for one of 20 concurrent uses of a code at most', async () => {
      const given = await anApprovedCode();
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => exchangeCode(product.baseUrl, given)),
      );
      const got = replies.filter(({ status }) => status === 200);
      expect(got.length).toBeLessThanOrEqual(1);
      expect(replies.filter(({ status }) => status === 400)).toHaveLength(20 - got.length);
    });

    it('rotates refresh tokens, and cuts the agent off when one is used again', async () => {
      const { clientId: id, tokens } = await connectAgent(product, { browser });
      const second = await refresh(product.baseUrl, { clientId: id, refreshToken: tokens.refresh_token });
      expect(second.status).toBe(200);
      expect(second.body.refresh_token).not.toBe(tokens.refresh_token);
      const again = await refresh(product.baseUrl, { clientId: id, refreshToken: tokens.refresh_token });
      expect(again.body.error).toBe('invalid_grant');
      for (const token of [tokens.access_token, second.body.access_token])
        expect((await callMcp(product.baseUrl, token, 'tools/list')).status).toBe(401);
      const third = { clientId: id, refreshToken: second.body.refresh_token };
      expect((await refresh(product.baseUrl, third)).status).toBe(400);
    });

    it('gives no more scopes for a refresh token than it has', async () => {
      const { clientId: id, tokens } = await connectAgent(product, { browser, scope: 'forms:read' });
      const given = { clientId: id, refreshToken: tokens.refresh_token };
      for (const scope of ['tasks:decide', 'tasks:create', 'forms:read tasks:decide'])
        expect((await refresh(product.baseUrl, given, { scope })).body.error).toBe('invalid_scope');
      expect((await refresh(product.baseUrl, given)).body.scope).toBe('forms:read');
    });

    it('revokes an access token alone, and with a refresh token the agent', async () => {
      const { clientId: id, tokens } = await connectAgent(product, { browser, name: 'Gives up' });
      await sendForm(product.baseUrl, 'revoke', { client_id: id, token: tokens.access_token });
      expect((await callMcp(product.baseUrl, tokens.access_token, 'tools/list')).status).toBe(401);
      const next = await refresh(product.baseUrl, { clientId: id, refreshToken: tokens.refresh_token });
      expect(next.status).toBe(200);
      await sendForm(product.baseUrl, 'revoke', { client_id: id, token: next.body.refresh_token });
      expect((await callMcp(product.baseUrl, next.body.access_token, 'tools/list')).status).toBe(401);
      expect((await listAgents(product.client)).map((agent) => agent.name)).not.toContain('Gives up');
      const { body } = await product.client.get<AuditEntryOut[]>('/api/audit-log?action=agent.disconnected');
      expect(body.data[0]).toMatchObject({ actor: { type: 'agent', name: 'Gives up' } });
    });

    it.each(SCOPES.filter((scope) => !(AGENT_SCOPES as readonly string[]).includes(scope)))(
      'refuses a request for the scope %s',
      async (scope) => {
        expect(await errorOf({ scope })).toBe('invalid_scope');
        expect(await errorOf({ scope: `forms:read ${scope}` })).toBe('invalid_scope');
      },
    );

    it.each([
      ['invalid_target', { resource: 'https://other.example/api/mcp' }],
      ['invalid_target', { resource: 'http://127.0.0.1:1/api/forms' }],
      ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['unsupported_response_type', { response_type: 'token' }],
      ['unsupported_response_type', { response_type: 'id_token' }],
      ['page 400', { redirect_uri: 'http://127.0.0.1:7777/other' }],
      ['page 400', { redirect_uri: 'https://evil.example/callback' }],
      ['page 400', { redirect_uri: `${REDIRECT_URI}?more=1` }],
      ['page 400', { client_id: 'svc_cli_unknown' }],
    ])('responds with %s to a request with %j', async (error, changes) => {
      expect(await errorOf(changes)).toBe(error);
    });

    it('shows an error with a link to a web agent, and redirects to it only after a decision', async () => {
      const { baseUrl } = product;
      const redirectUri = 'https://agent.example/back?to=1';
      const id = (await register(baseUrl, { redirect_uris: [redirectUri] })).body.client_id;
      const requestOf = (changes: Readonly<Record<string, string | undefined>> = {}) =>
        authorizationRequest(baseUrl, id, { redirect_uri: redirectUri, ...changes }).url;
      for (const [error, changes] of [
        ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
        ['invalid_scope', { scope: 'tasks:decide' }],
        ['invalid_target', { resource: 'https://other.example/' }],
        ['unsupported_response_type', { response_type: 'token' }],
        ['login_required', { prompt: 'none' }],
      ] as const) {
        const response = await fetch(new URL(requestOf(changes), baseUrl), { redirect: 'manual' });
        expect([error, response.status, response.headers.get('location')]).toEqual([error, 400, null]);
        const [, href = ''] =
          /<a href="([^"]*)">Return to the agent at agent\.example<\/a>/.exec(await response.text()) ?? [];
        const back = new URL(href.replaceAll('&amp;', '&'));
        expect(`${back.origin}${back.pathname}`).toBe('https://agent.example/back');
        const parameters = { to: '1', error, state: 'xyz', iss: baseUrl };
        expect(Object.fromEntries(back.searchParams)).toMatchObject(parameters);
      }
      const approved = await approve(browser, await openRequest(browser, requestOf()));
      expect(approved.searchParams.get('code')).toBeTruthy();
      const denied = await deny(await openRequest(browser, requestOf()));
      for (const back of [approved, denied]) expect(back.href).toMatch(/^https:\/\/agent\.example\/back\?/);
    });

    it.each([
      [303, 'https://agent.example/back'],
      [303, 'https://bare.example'],
      [303, 'https://bare.example/'],
      [303, 'http://localhost/back'],
      [303, 'http://localhost:80/back'],
      [303, 'http://localhost:3000/back'],
      [400, 'HTTPS://agent.example/back'],
      [400, 'https://AGENT.example/back'],
      [400, 'https://agent.example:443/back'],
      [400, 'https://agent.example/there/../back'],
      [400, 'http://localhost:3000/./back'],
    ])('responds with %i to a request with the redirect URI %s', async (status, redirectUri) => {
      const uris = ['https://agent.example/back', 'https://bare.example', 'http://localhost/back'];
      const id = (await register(product.baseUrl, { redirect_uris: uris })).body.client_id;
      expect(await errorOf({ client_id: id, redirect_uri: redirectUri })).toBe(`page ${status}`);
    });

    it('keeps the parameters after a question mark in a value', async () => {
      const { url } = authorizationRequest(product.baseUrl, clientId, { state: 'STATE' });
      const back = await approve(browser, await openRequest(browser, url.replace('STATE', 'a?b')));
      expect(back.searchParams.get('state')).toBe('a?b');
    });

    it('accepts any port of a loopback redirect URI, but no other host', async () => {
      const redirectUri = 'http://127.0.0.1:54321/callback';
      const { url, verifier } = authorizationRequest(product.baseUrl, clientId, {
        redirect_uri: redirectUri,
      });
      const back = await approve(browser, await openRequest(browser, url));
      expect(back.host).toBe('127.0.0.1:54321');
      const code = back.searchParams.get('code') ?? '';
      const given = { clientId, code, verifier };
      const { status } = await exchangeCode(product.baseUrl, given, { redirect_uri: redirectUri });
      expect(status).toBe(200);
      expect(await errorOf({ redirect_uri: 'http://localhost:7777/callback' })).toBe('page 400');
    });

    it('chooses the least scopes and its resource for an agent that names none', async () => {
      const given = await anApprovedCode({ scope: undefined, resource: undefined });
      const { body } = await exchangeCode(product.baseUrl, given);
      expect(body).toMatchObject({ scope: 'forms:read tasks:create tasks:read', token_type: 'Bearer' });
      expect(await toolNames(product.baseUrl, body.access_token)).toEqual(LEAST_TOOLS);
    });

    describe('registration', () => {
      it.each([
        [{ redirect_uris: ['http://evil.example/callback'] }],
        [{ redirect_uris: ['cursor://callback'] }],
        [{ redirect_uris: ['javascript:alert(1)'] }],
        [{ redirect_uris: ['cursor://callback', 'http://evil.example/callback'] }],
        [{ redirect_uris: ['https://a.example/#fragment'] }],
        [{ redirect_uris: ['https://user:secret@a.example/'] }],
        [{ redirect_uris: ['https://a.example/', 'http://192.168.0.1/'] }],
        [{ redirect_uris: [] }],
        [{}],
      ])('refuses %j', async (metadata) => {
        const { status, body } = await register(product.baseUrl, metadata);
        expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' });
      });

      it('says that a loopback redirect URI begins with http', async () => {
        const { status, body } = await register(product.baseUrl, {
          redirect_uris: ['https://localhost:3000/'],
        });
        expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' });
        expect(body.error_description).toContain('https:// and a host other than localhost');
      });

      it('leaves out private-use schemes beside URIs that it supports, as Cursor sends them', async () => {
        const { baseUrl } = product;
        const redirectUri = 'http://localhost:8787/callback';
        const ofCursor = 'cursor://anysphere.cursor-mcp/oauth/callback';
        const web = 'https://www.cursor.com/agents/mcp/oauth/callback';
        const metadata = { client_name: 'Cursor', redirect_uris: [ofCursor, web, redirectUri] };
        const { status, body } = await register(baseUrl, metadata);
        expect(status).toBe(201);
        expect(body.redirect_uris).toEqual([web, redirectUri]);
        const id = body.client_id;
        const { url, verifier } = authorizationRequest(baseUrl, id, { redirect_uri: redirectUri });
        const code = (await approve(browser, await openRequest(browser, url))).searchParams.get('code') ?? '';
        const given = { clientId: id, code, verifier };
        expect((await exchangeCode(baseUrl, given, { redirect_uri: redirectUri })).status).toBe(200);
        expect(await errorOf({ client_id: id, redirect_uri: ofCursor })).toBe('page 400');
      });

      it('registers every client as public, whatever it requests, and shows the whole name', async () => {
        const { status, body } = await register(product.baseUrl, {
          client_name: 'A\u202egent\u0000 of  SvcForms',
          redirect_uris: ['https://agent.example/callback'],
          token_endpoint_auth_method: 'client_secret_basic',
          grant_types: ['client_credentials', 'implicit'],
          scope: 'tasks:decide',
        });
        expect(status).toBe(201);
        expect(body).toMatchObject({
          client_name: 'A gent of SvcForms',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
        });
        expect(body).not.toHaveProperty('client_secret');
        const form = { grant_type: 'client_credentials', client_id: body.client_id };
        expect((await sendForm(product.baseUrl, 'token', form)).status).toBe(400);
      });
    });

    describe('the consent', () => {
      it('is only for the browser that the agent opened, and for a logged-in user', async () => {
        const consent = await openRequest(browser, authorizationRequest(product.baseUrl, clientId).url);
        const other = await openBrowser(product.baseUrl);
        const body = { scopes: ['forms:read'] };
        for (const [method, path] of [
          ['GET', '/request'],
          ['POST', '/approve'],
          ['POST', '/deny'],
        ] as const) {
          const init = { method, ...(path === '/approve' ? { body } : {}) };
          expect((await other.go(`${consent}${path}`, init)).status).toBe(404);
          const anonymous = { headers: { origin: product.baseUrl }, method };
          expect((await fetch(`${product.baseUrl}${consent}${path}`, anonymous)).status).toBe(401);
        }
        const key = { authorization: `Bearer ${product.apiKey}` };
        expect((await fetch(`${product.baseUrl}${consent}/request`, { headers: key })).status).toBe(403);
        expect((await browser.go(`${consent}/request`)).status).toBe(200);
      });

      it('accepts no consent from a page of another site', async () => {
        const consent = await openRequest(browser, authorizationRequest(product.baseUrl, clientId).url);
        const init = { method: 'POST', body: { scopes: ['forms:read'] }, origin: 'https://evil.example' };
        expect((await browser.go(`${consent}/approve`, init)).status).toBe(403);
        const page = await browser.go(`/connect/${consent.split('/').at(-1)}`);
        expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      });

      it('can be given or denied once', async () => {
        const consent = await openRequest(browser, authorizationRequest(product.baseUrl, clientId).url);
        const init = { method: 'POST', body: { scopes: ['forms:read'] } };
        const replies = await Promise.all([1, 2, 3, 4].map(() => browser.go(`${consent}/approve`, init)));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      });

      it('grants nothing that was not requested, that the user lacks, or that no agent may have', async () => {
        const reviewer = await openBrowser(product.baseUrl, await newUser(product.client, 'reviewer'));
        const { url } = authorizationRequest(product.baseUrl, clientId);
        const consent = await openRequest(reviewer, url);
        expect(await readConsent(reviewer, consent)).toMatchObject({
          scopes: ['forms:read', 'tasks:read'],
          missingScopes: ['tasks:create'],
        });
        for (const scopes of [
          ['tasks:create'],
          ['submissions:read'],
          ['tasks:decide'],
          ['*'],
          ['forms:read', 'tasks:decide'],
          [],
        ]) {
          const response = await reviewer.go(`${consent}/approve`, { method: 'POST', body: { scopes } });
          expect(response.status).toBe(422);
        }
        expect((await approve(reviewer, consent)).searchParams.get('code')).toBeTruthy();
      });

      it('tells the agent that the user denied it', async () => {
        const consent = await openRequest(browser, authorizationRequest(product.baseUrl, clientId).url);
        const back = await deny(consent);
        expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
          'access_denied',
          'xyz',
        ]);
      });

      it('gives the code to no other browser', async () => {
        const { url } = authorizationRequest(product.baseUrl, clientId);
        const consent = await openRequest(browser, url);
        const init = { method: 'POST', body: { scopes: ['forms:read'] } };
        const approved = await browser.go(`${consent}/approve`, init);
        const { data } = (await approved.json()) as { data: { redirectTo: string } };
        const other = await openBrowser(product.baseUrl);
        expect((await other.go(data.redirectTo)).headers.get('location')).toBeNull();
      });
    });

    describe('a connected agent', () => {
      const agentOf = async (agentName: string) => {
        const agent = await connectAgent(product, { browser, name: agentName });
        return { ...agent, name: agentName };
      };

      it('is only for the MCP server', async () => {
        const { tokens } = await connectAgent(product, { browser });
        const agent = createClient({ baseUrl: product.baseUrl, token: tokens.access_token });
        for (const path of ['/api/forms', '/api/mcp/tasks', '/api/agents', '/api/keys', '/api/mcp/events/*'])
          expect((await agent.get(path)).status).toBe(401);
        expect((await agent.post('/api/keys', { body: { name: 'x', scopes: ['*'] } })).status).toBe(401);
      });

      it('loses the scopes that its user loses, and everything when the user is deleted', async () => {
        const user = await newUser(product.client, 'admin');
        const own = await openBrowser(product.baseUrl, user);
        const { tokens } = await connectAgent(product, { browser: own });
        expect(await toolNames(product.baseUrl, tokens.access_token)).toEqual(LEAST_TOOLS);
        await product.client.patch(`/api/users/${user.id}`, { body: { role: 'reviewer' }, expect: 200 });
        expect(await toolNames(product.baseUrl, tokens.access_token)).toEqual([
          'get_form_schema',
          'get_task',
          'list_forms',
          'list_tasks',
          'wait_for_task',
        ]);
        await product.client.delete(`/api/users/${user.id}`, { expect: 204 });
        expect((await callMcp(product.baseUrl, tokens.access_token, 'tools/list')).status).toBe(401);
      });

      it('is out of reach for other accounts', async () => {
        const { name } = await agentOf('Of the first account');
        const listed = (await listAgents(product.client)).find((one) => one.name === name);
        const created = await product.admin('account', 'create', '--name', 'Another');
        const [accountId = ''] = created.split(' ');
        const printed = await product.admin(
          'key',
          'create',
          '--name',
          'k',
          '--account',
          accountId,
          '--scopes',
          '*',
        );
        const [, token = ''] = /^key (\S+)/m.exec(printed) ?? [];
        const stranger = createClient({ baseUrl: product.baseUrl, token });
        expect(await listAgents(stranger)).toEqual([]);
        expect((await stranger.delete(`/api/agents/${listed?.id}`)).status).toBe(404);
        const ids = (await listAgents(product.client)).map(({ id }) => id);
        expect(ids).toContain(listed?.id);
      });

      it('gets no decision from a call that waits while it is disconnected', async () => {
        const { baseUrl, client } = product;
        const form = await createForm(client, { fields: [] });
        const agent = await connectAgent({ baseUrl }, { browser, name: 'Waits' });
        const body = { templateId: form.id, title: 'Secret' };
        const { data: task } = (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body;
        let isWaiting = false;
        const params = {
          name: 'wait_for_task',
          arguments: { taskId: task.id, timeoutSeconds: 20 },
          _meta: { progressToken: 'wait' },
        };
        const waiting = callMcp(baseUrl, agent.tokens.access_token, 'tools/call', params, () => {
          isWaiting = true;
        });
        const listed = (await listAgents(client)).find((one) => one.name === 'Waits');
        await poll(() => isWaiting, { what: 'the progress of the call' });
        await client.delete(`/api/agents/${listed?.id}`, { expect: 204 });
        await client.post(`/api/mcp/tasks/${task.id}/decision`, {
          body: { outcome: 'approved' },
          expect: 200,
        });
        const result = JSON.stringify(await waiting);
        expect(result).toContain('UNAUTHORIZED');
        expect(result).toContain('Ask the user to connect you again');
        expect(result).not.toContain('approved');
      });

      it('is listed and disconnected by its user and by those who manage keys', async () => {
        const user = await newUser(product.client, 'reviewer');
        const own = await openBrowser(product.baseUrl, user);
        const other = await openBrowser(product.baseUrl, await newUser(product.client, 'reviewer'));
        const names = async ({ go }: UserBrowser) =>
          ((await (await go('/api/agents')).json()) as { data: { name: string }[] }).data.map(
            ({ name: shown }) => shown,
          );
        const agent = await connectAgent(product, {
          browser: own,
          scope: 'forms:read',
          name: 'Of a reviewer',
        });
        expect(await names(own)).toEqual(['Of a reviewer']);
        expect(await names(other)).toEqual([]);
        const listed = (await listAgents(product.client)).find((one) => one.name === 'Of a reviewer');
        await toolNames(product.baseUrl, agent.tokens.access_token);
        await poll(
          async () => (await listAgents(product.client)).find((one) => one.id === listed?.id)?.lastUsedAt,
        );
        expect((await other.go(`/api/agents/${listed?.id}`, { method: 'DELETE' })).status).toBe(404);
        const readOnly = (
          await product.client.post<{ key: string }>('/api/keys', {
            body: { name: 'x', scopes: ['forms:read'] },
          })
        ).body.data.key;
        const weak = createClient({ baseUrl: product.baseUrl, token: readOnly });
        expect((await weak.get('/api/agents')).body.code).toBe('INSUFFICIENT_SCOPE');
        expect((await own.go(`/api/agents/${listed?.id}`, { method: 'DELETE' })).status).toBe(204);
        expect((await callMcp(product.baseUrl, agent.tokens.access_token, 'tools/list')).status).toBe(401);
        const { clientId: id, tokens } = agent;
        const again = await refresh(product.baseUrl, { clientId: id, refreshToken: tokens.refresh_token });
        expect(again.status).toBe(400);
        const { body } = await product.client.get<AuditEntryOut[]>(`/api/audit-log?target=${listed?.id}`);
        expect(body.data.map(({ action, actor }) => [action, actor.type])).toEqual([
          ['agent.disconnected', 'user'],
          ['agent.connected', 'user'],
        ]);
      });
    });
  });
}

describeAuthorization('the authorization of agents', () => startProduct());

describeWith(['nats', 'mongo'], 'with real backends', () => {
  describeAuthorization('the authorization of agents on NATS and a MongoDB server', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const database = `oauth_${randomUUID().slice(0, 8)}`;
    return startProduct({ NATS_URL: nats.url, MONGODB_URL: `${await sharedMongo()}/${database}` });
  });
});
