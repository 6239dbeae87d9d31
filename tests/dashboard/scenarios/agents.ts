import { atEnd } from '@svcforms/test-kit';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { violations } from '../../browser/accessibility.ts';
import { overflowIn, violationsInBoth } from '../support/accessibility.ts';
import { authorizationRequest, callMcp, exchangeCode, register, toolNames } from '../../oauth/support.ts';
import { OWNER, type Fixture } from '../support/fixture.ts';

export function agentsScenarios(fixture: () => Fixture): void {
  /** An agent on this computer, which waits for the browser, and the URL that it opens there. */
  async function anAgent(name: string) {
    const { baseUrl } = fixture();
    const server = createServer((_request, response) => response.end('Back in the agent'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => void server.close());
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const metadata = { client_name: name, redirect_uris: [redirectUri] };
    const { client_id: clientId } = (await register(baseUrl, metadata)).body;
    return {
      clientId,
      redirectUri,
      ...authorizationRequest(baseUrl, clientId, { redirect_uri: redirectUri }),
    };
  }

  describe('a request of an agent', () => {
    it('is approved in part, and the agent is disconnected in Settings', async () => {
      const { open, baseUrl } = fixture();
      const { clientId, redirectUri, url, verifier } = await anAgent('Refund agent');
      const page = await open('/settings/agents');
      await page.getByText('No connected agents yet').waitFor();
      await page.goto(url);
      await page.getByText(/^Refund agent wants access to /).waitFor();
      await page.getByText(`Owner (${OWNER.email})`).waitFor();
      await page.getByText('It can never approve or reject tasks').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Create tasks, and cancel its own').uncheck();
      await page.getByRole('button', { name: 'Allow access' }).click();
      await page.getByText('Back in the agent').waitFor();
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const given = { clientId, code, verifier };
      const { body: tokens } = await exchangeCode(baseUrl, given, { redirect_uri: redirectUri });
      expect(tokens.scope).toBe('forms:read tasks:read');
      expect(await toolNames(baseUrl, tokens.access_token)).not.toContain('request_approval');

      await page.goto('/settings/agents');
      const row = page.getByRole('row').filter({ hasText: 'Refund agent' });
      await row.getByText('forms:read, tasks:read').waitFor();
      expect(await violations(page)).toEqual([]);
      await row.getByRole('button', { name: 'Disconnect Refund agent' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('No connected agents yet').waitFor();
      expect((await callMcp(baseUrl, tokens.access_token, 'tools/list')).status).toBe(401);
    });

    it('shows who publishes an agent that names itself by a URL', async () => {
      const { open, baseUrl, startEndpoint } = fixture();
      const redirectUri = 'http://127.0.0.1:7777/callback';
      const publisher = await startEndpoint(({ path }) => ({
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: publisher.url + path,
          client_name: 'Published agent',
          redirect_uris: [redirectUri],
        }),
      }));
      const clientId = `${publisher.url}/agent.json`;
      const page = await open(authorizationRequest(baseUrl, clientId, { redirect_uri: redirectUri }).url);
      const { host } = new URL(publisher.url);
      await page.getByText(`${host} publishes this agent.`).waitFor();
      await page.getByRole('row', { name: `Published at ${host}` }).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      expect(await overflowIn(page, { width: 320, height: 640 })).toBe(0);
    });

    it('waits until the user has logged in, and tells the agent of a denial', async () => {
      const { open } = fixture();
      const { url } = await anAgent('Curious agent');
      const page = await open('/login', { as: null, expected: /401/ });
      await page.goto(url);
      await page.getByLabel('Email').fill(OWNER.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText(/^Curious agent wants access to /).waitFor();
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Back in the agent').waitFor();
      expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    });

    it('says that it has expired when it is opened again', async () => {
      const { open } = fixture();
      const page = await open('/connect/unknown', { expected: /404/ });
      await page.getByText('Start again in the agent').waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
}
