import { addWebhook, createForm, createClient, openInbound } from '@svcforms/test-kit';
import type { AuditEntryOut, FormOut } from '@svcforms/contracts';
import { openAccount, type Product } from '../stack.ts';

export function accountScenarios(product: () => Product): void {
  describe('a caller', () => {
    it.each([
      ['nothing', undefined],
      ['an unknown key', `Bearer svc_key_${'A'.repeat(43)}`],
      ['something other than a key', 'Bearer hello'],
      ['another scheme', 'Basic b3duZXI6b3duZXI='],
    ])('is rejected with %s as credentials', async (_, authorization) => {
      const response = await product().visitor.get('/api/forms', { headers: { authorization } });
      expect([response.status, response.body.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    });

    it('cannot see resources of another account or whether they exist', async () => {
      const { client, startEndpoint } = product();
      const { url } = await startEndpoint();
      const { id } = await createForm(client);
      await openInbound(client, id);
      const webhook = await addWebhook(client, id, { url });
      const other = (await openAccount(product())).client;

      const paths = [
        `/api/forms/${id}`,
        `/api/forms/${id}/inbound`,
        `/api/forms/${id}/webhooks/${webhook.id}`,
      ];
      for (const path of paths) {
        const foreign = await other.get(path);
        const nowhere = await other.get(path.replace(id, 'frm_01ARZ3NDEKTSV4RRFFQ69G5FAV'));
        expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
        expect(foreign.body.message).toBe(nowhere.body.message);
      }
      expect((await other.get<FormOut[]>('/api/forms')).body.data).toEqual([]);
      expect((await other.delete(`/api/forms/${id}`)).status).toBe(404);
      expect((await other.put(`/api/forms/${id}`, { body: { name: 'Mine' } })).status).toBe(404);
      await client.get(`/api/forms/${id}`, { expect: 200 });
    });

    it('gets the name of a missing scope', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const reader = (await openAccount(product(), { scopes: ['forms:read'] })).client;
      await reader.get('/api/forms', { expect: 200 });
      const refused: [string, string][] = [
        ['/api/forms', 'forms:write'],
        [`/api/forms/${id}/inbound`, 'forms:inbound:manage'],
        [`/api/forms/${id}/webhooks`, 'forms:webhooks:manage'],
      ];
      for (const [path, requiredScope] of refused) {
        const { status, body } = await reader.post(path, { body: {} });
        expect({ ...body, status }).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE', requiredScope });
      }
    });

    it('finds each change once in the audit log, with actor, action, target and time, and no secret', async () => {
      const { client } = await openAccount(product());
      const { url } = await product().startEndpoint();
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url });
      const rows = async (query: string) =>
        (await client.get<AuditEntryOut[]>(`/api/audit-log?${query}`, { expect: 200 })).body.data;
      const [added, created] = await rows('limit=2');
      expect([added, created]).toMatchObject([
        { action: 'webhook.created', actor: { type: 'key' }, target: { id: webhook.id } },
        { action: 'form.created', target: { id: form.id, name: form.name } },
      ]);
      expect(JSON.stringify(added)).not.toContain(webhook.secret);
      const target = `target=${webhook.id}`;
      expect(await rows(target)).toEqual([added]);
      expect(await rows(`${target}&actor=${added?.actor.id}&action=webhook.created`)).toEqual([added]);
      expect(await rows(`${target}&action=form.created`)).toEqual([]);
      expect(await rows(`${target}&since=${added?.createdAt}`)).toEqual([added]);
      expect(await rows(`${target}&until=${added?.createdAt}`)).toEqual([]);
    });

    it('can create an inbound endpoint on every plan but use it only on Pro and Business', async () => {
      const { accountId, client } = await openAccount(product(), { plan: 'free' });
      const inbound = await openInbound(client, (await createForm(client)).id);
      const visitor = createClient({ baseUrl: product().baseUrl, token: inbound.token });
      const responses: string[] = [];
      for (const plan of ['free', 'starter', 'pro', 'business']) {
        await product().admin('account', 'set-plan', accountId, plan);
        const response = await visitor.post(`/api/inbound/${inbound.formId}`, {
          body: { email: 'a@example.com' },
        });
        responses.push(`${plan}: ${response.status} ${response.body.code ?? ''}`.trim());
      }
      expect(responses).toEqual([
        'free: 403 PLAN_RESTRICTED',
        'starter: 403 PLAN_RESTRICTED',
        'pro: 202',
        'business: 202',
      ]);
    });
  });
}
