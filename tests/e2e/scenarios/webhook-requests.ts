import type { AccountWebhookCreatedOut, AccountWebhookOut } from '@svcforms/contracts';
import { createForm, isSignedWithKey, openInbound, poll, sendInbound, type Client } from '@svcforms/test-kit';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { openAccount, type Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };
const KEY = 'k3y-0f-th3-3ndp01nt';

/** What webhooks of forms and of accounts add to their requests. */
export function webhookRequestScenarios(product: () => Product): void {
  /** Two clients and paths: the webhooks of a form, and those of an account of its own. */
  const KINDS: readonly [string, () => Promise<{ client: Client; formId: string; path: string }>][] = [
    [
      'a form',
      async () => {
        const { client } = product();
        const { id } = await createForm(client);
        return { client, formId: id, path: `/api/forms/${id}/webhooks` };
      },
    ],
    [
      'an account',
      async () => {
        const { client } = await openAccount(product());
        return { client, formId: (await createForm(client)).id, path: '/api/webhooks' };
      },
    ],
  ];

  describe.each(KINDS)('a webhook of %s', (_, open) => {
    it('sends its custom headers with deliveries, redeliveries and test events, and shows no values', async () => {
      const { client, formId, path } = await open();
      const webhookEndpoint = await product().startEndpoint();
      const inbound = await openInbound(client, formId);
      const created = await client.post<AccountWebhookCreatedOut>(path, {
        body: { url: webhookEndpoint.url, events: ['form.submission.new'], headers: { 'X-Api-Key': KEY } },
        expect: 201,
      });
      const webhook = `${path}/${created.body.data.id}`;
      await sendInbound(client, inbound, VALUES);
      const [first] = await webhookEndpoint.waitFor(1);
      expect(first?.headers['x-api-key']).toBe(KEY);

      const deliveries = await poll(async () => {
        const { body, text } = await client.get<{ id: string; status: string }[]>(`${webhook}/deliveries`);
        return body.data[0]?.status === 'delivered' && { id: body.data[0].id, text };
      });
      const patched = await client.patch<AccountWebhookOut>(webhook, {
        body: { headers: { 'x-api-key': 'another value', 'X-Second': 'x' } },
        expect: 200,
      });
      expect(patched.body.data.headers).toEqual([
        { name: 'x-api-key', last4: 'alue' },
        { name: 'X-Second', last4: null },
      ]);
      // Attempts respect a change within a second.
      const redelivered = await poll(async () => {
        await client.post(`${webhook}/deliveries/${deliveries.id}/redeliver`, { expect: 202 });
        const [last] = webhookEndpoint.requests.slice(-1);
        return last?.headers['x-api-key'] === 'another value' && last;
      });
      expect(redelivered.headers['x-second']).toBe('x');
      await client.post(`${webhook}/test`, { body: {}, expect: 200 });
      const test = await webhookEndpoint.waitFor(({ headers }) => headers['svc-test'] === 'true');
      expect(test.headers['x-api-key']).toBe('another value');
      for (const { text } of [
        created,
        patched,
        deliveries,
        await client.get(webhook),
        await client.get(path),
      ])
        for (const value of [KEY, 'another value']) expect(text).not.toContain(value);
    });

    it('signs with its private key beside its secrets, and its public key is listed for everybody', async () => {
      const { client, formId, path } = await open();
      const webhookEndpoint = await product().startEndpoint();
      const inbound = await openInbound(client, formId);
      const created = await client.post<AccountWebhookCreatedOut>(path, {
        body: { url: webhookEndpoint.url, events: ['form.submission.new'], isPublicKeySigned: true },
        expect: 201,
      });
      const { id, secret, publicKey = '', publicKeyId = '' } = created.body.data;
      const rotated = await client.post<AccountWebhookCreatedOut>(`${path}/${id}/rotate-secret`, {
        expect: 200,
      });
      expect(rotated.body.data.publicKey).toBe(publicKey);
      await sendInbound(client, inbound, VALUES);
      const [request] = await webhookEndpoint.waitFor(1);
      const { headers, rawBody } = request!;
      const signatures = String(headers['webhook-signature']).split(' ');
      expect(signatures.map((each) => each.split(',')[0])).toEqual(['v1', 'v1', 'v1a']);
      for (const each of [secret, rotated.body.data.secret]) {
        const sent = headers as Record<string, string>;
        expect(() => new StandardWebhook(each ?? '').verify(rawBody, sent)).not.toThrow();
      }
      expect(isSignedWithKey(request!, publicKey)).toBe(true);

      for (const query of ['', `?id=${publicKeyId}`]) {
        const { text } = await product().visitor.get(`/.well-known/webhooks-keys.json${query}`, {
          expect: 200,
        });
        const { keys } = JSON.parse(text) as { keys: { id: string }[] };
        expect(keys.filter((key) => key.id === publicKeyId)).toEqual([{ id: publicKeyId, publicKey }]);
        expect(text).not.toContain('whsk_');
      }
    });
  });
}
