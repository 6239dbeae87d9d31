import type { InboundOut, InboundRequestsOut, SubmissionOut } from '@svcforms/contracts';
import { signInbound } from '@svcforms/signing';
import { createForm, openInbound, poll, sendInbound, type OpenedInbound } from '@svcforms/test-kit';
import { openAccount, type Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };

/** docs/reference/inbound.md#several-endpoints */
export function inboundEndpointsScenarios(product: () => Product): void {
  const pathOf = (formId: string) => `/api/forms/${formId}/inbound/endpoints`;
  const add = async (formId: string, input: object = {}): Promise<OpenedInbound> =>
    (await product().client.post<OpenedInbound>(pathOf(formId), { body: input, expect: 201 })).body.data;
  const list = async (formId: string) =>
    (await product().client.get<InboundOut[]>(pathOf(formId), { expect: 200 })).body.data;
  const dataOf = async (submissionId: string) => {
    const path = `/api/submissions/${submissionId}`;
    return (await product().client.get<SubmissionOut>(path, { expect: 200 })).body.data.data;
  };

  describe('several inbound endpoints of a form', () => {
    it('have their own token, secret, mapping, name and switch', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const crm = await openInbound(client, formId, { fieldMapping: { mail: 'email' } });
      const shop = await add(formId, {
        name: 'Shop',
        secret: 'the secret of the shop',
        fieldMapping: { customer: 'email' },
      });
      expect(shop).toMatchObject({
        id: expect.stringMatching(/^inb_/),
        formId,
        name: 'Shop',
        token: expect.stringMatching(/^svc_inb_[\w-]{43}$/),
        hasSecret: true,
        requireTimestamp: false,
        url: crm.url,
      });
      expect(crm.name).toBe('Inbound endpoint');
      expect((await list(formId)).map(({ id, name }) => [id, name])).toEqual([
        [shop.id, 'Shop'],
        [crm.id, 'Inbound endpoint'],
      ]);

      const accepted = await sendInbound(client, crm, { mail: 'ada@example.com', customer: 'x' });
      expect(await dataOf(accepted.body.data.submissionId)).toEqual({
        email: 'ada@example.com',
        customer: 'x',
      });
      await sendInbound(client, shop, { customer: 'ada@example.com' }, { expect: 401 });
      const rawBody = '{"customer":"ada@example.com"}';
      const headers = {
        authorization: `Bearer ${shop.token}`,
        'x-svcforms-signature-256': signInbound(rawBody, 'the secret of the shop'),
      };
      await client.post(`/api/inbound/${formId}`, { rawBody, headers, expect: 202 });

      await client.patch(`${pathOf(formId)}/${crm.id}`, { body: { isEnabled: false }, expect: 200 });
      const off = await sendInbound(client, crm, { mail: 'ada@example.com' }, { expect: 403 });
      expect(off.body.code).toBe('ENDPOINT_DISABLED');
      await client.post(`/api/inbound/${formId}`, { rawBody, headers, expect: 202 });
    });

    it('are updated, rotated and deleted individually', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const [one, two] = [await add(formId, { name: 'One' }), await add(formId, { name: 'Two' })];
      const path = `${pathOf(formId)}/${two.id}`;
      const { body } = await client.post<OpenedInbound>(`${path}/rotate`, { expect: 200 });
      await sendInbound(client, two, VALUES, { expect: 401 });
      await sendInbound(client, body.data, VALUES);
      await sendInbound(client, one, VALUES);

      const changed = await client.patch<InboundOut>(path, { body: { name: 'Second' }, expect: 200 });
      expect(changed.body.data).toEqual((await client.get<InboundOut>(path, { expect: 200 })).body.data);
      expect(changed.body.data.name).toBe('Second');
      await client.delete(path, { expect: 204 });
      await client.get(path, { expect: 404 });
      await client.get(`${path}/requests`, { expect: 404 });
      await client.post(`${path}/rotate`, { expect: 404 });
      await sendInbound(client, body.data, VALUES, { expect: 401 });
      await sendInbound(client, one, VALUES);
      expect((await list(formId)).map(({ id }) => id)).toEqual([one.id]);
    });

    it('leave the single-endpoint calls on the oldest endpoint', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const [one, two] = [await add(formId), await add(formId, { name: 'Two' })];
      const single = `/api/forms/${formId}/inbound`;
      const second = await client.post(single, { body: {}, expect: 409 });
      expect(second.body.code).toBe('CONFLICT');
      const get = async () => (await client.get<InboundOut>(single, { expect: 200 })).body.data;
      expect((await get()).id).toBe(one.id);
      const rotated = await client.post<OpenedInbound>(`${single}/rotate`, { expect: 200 });
      expect(rotated.body.data.id).toBe(one.id);
      await sendInbound(client, one, VALUES, { expect: 401 });
      await sendInbound(client, two, VALUES);

      await client.delete(single, { expect: 204 });
      expect((await get()).id).toBe(two.id);
      await client.post(single, { body: {}, expect: 409 });
      const three = await add(formId);
      expect((await get()).id).toBe(two.id);
      await client.patch(single, { body: { isEnabled: false }, expect: 200 });
      await sendInbound(client, two, VALUES, { expect: 403 });
      await sendInbound(client, three, VALUES);
      await client.delete(single, { expect: 204 });
      await client.delete(single, { expect: 204 });
      await client.get(single, { expect: 404 });
      expect(await list(formId)).toEqual([]);
      await openInbound(client, formId);
    });

    it('keep separate request logs; requests without a valid token are logged at the oldest', async () => {
      const { client, visitor } = product();
      const { id: formId } = await createForm(client);
      const [one, two] = [await add(formId), await add(formId)];
      await sendInbound(client, two, VALUES);
      await sendInbound(client, two, {}, { expect: 422 });
      await sendInbound(client, one, VALUES);
      await visitor.post(`/api/inbound/${formId}`, { body: VALUES, expect: 401 });
      const logOf = async (path: string) =>
        (await client.get<InboundRequestsOut>(path, { expect: 200 })).body.data
          .map(({ status }) => status)
          .toSorted((a, b) => a - b);
      await poll(
        async () =>
          (await logOf(`${pathOf(formId)}/${two.id}/requests`)).length === 2 &&
          (await logOf(`${pathOf(formId)}/${one.id}/requests`)).length === 2,
        { what: 'both logs' },
      );
      expect(await logOf(`${pathOf(formId)}/${two.id}/requests`)).toEqual([202, 422]);
      expect(await logOf(`${pathOf(formId)}/${one.id}/requests`)).toEqual([202, 401]);
      expect(await logOf(`/api/forms/${formId}/inbound/requests`)).toEqual([202, 401]);
    });

    it('are limited to 20, even when created in parallel, and listed in pages', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const responses = await Promise.all(
        Array.from({ length: 22 }, () => client.post(pathOf(formId), { body: {} })),
      );
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        ...Array.from({ length: 20 }, () => 201),
        409,
        409,
      ]);
      const ids: string[] = [];
      let cursor: string | null | undefined = '';
      while (typeof cursor === 'string') {
        const page: { body: { data: InboundOut[]; pagination?: { nextCursor: string | null } } } =
          await client.get<InboundOut[]>(`${pathOf(formId)}?limit=7${cursor && `&cursor=${cursor}`}`);
        ids.push(...page.body.data.map(({ id }) => id));
        cursor = page.body.pagination?.nextCursor;
      }
      expect(new Set(ids).size).toBe(20);
      expect(ids).toHaveLength(20);
    });

    it('are not reachable through another form or account', async () => {
      const { client } = product();
      const [mine, other] = [await createForm(client), await createForm(client)];
      const endpoint = await add(mine.id);
      await sendInbound(client, { formId: other.id, token: endpoint.token }, VALUES, { expect: 401 });
      const stranger = (await openAccount(product(), { plan: 'pro' })).client;
      for (const [by, formId] of [
        [client, other.id],
        [stranger, mine.id],
      ] as const) {
        const path = `${pathOf(formId)}/${endpoint.id}`;
        await by.get(path, { expect: 404 });
        await by.get(`${path}/requests`, { expect: 404 });
        await by.patch(path, { body: { isEnabled: false }, expect: 404 });
        await by.post(`${path}/rotate`, { expect: 404 });
        await by.delete(path, { expect: 404 });
      }
      await stranger.get(pathOf(mine.id), { expect: 404 });
      await stranger.post(pathOf(mine.id), { body: {}, expect: 404 });
      await sendInbound(client, endpoint, VALUES);
    });

    it('are created once per Idempotency-Key and deleted with their form', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const options = { body: { name: 'Once' }, headers: { 'idempotency-key': 'once' }, expect: 201 };
      const first = await client.post<OpenedInbound>(pathOf(formId), options);
      const again = await client.post<OpenedInbound>(pathOf(formId), options);
      expect(again.body.data).toEqual({ ...first.body.data, token: null });
      const other = await add(formId);
      expect(await list(formId)).toHaveLength(2);
      await client.delete(`/api/forms/${formId}`, { expect: 204 });
      await client.get(pathOf(formId), { expect: 404 });
      await sendInbound(client, other, VALUES, { expect: 404 });
    });

    it.each([
      ['an empty name', { name: '' }, '/name'],
      ['a name of 101 characters', { name: 'n'.repeat(101) }, '/name'],
      ['requireTimestamp but no secret', { requireTimestamp: true }, '/requireTimestamp'],
      [
        'a requireTimestamp that is not a boolean',
        { secret: true, requireTimestamp: 1 },
        '/requireTimestamp',
      ],
    ])('are not created with %s', async (_, body, pointer) => {
      const { client } = product();
      const { id } = await createForm(client);
      for (const path of [pathOf(id), `/api/forms/${id}/inbound`]) {
        const response = await client.post(path, { body, expect: 422 });
        expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
      }
    });
  });
}
