import type { InboundOut } from '@svcforms/contracts';
import { signInbound } from '@svcforms/signing';
import { createForm, openInbound, sendInbound, type OpenedInbound } from '@svcforms/test-kit';
import type { Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };

export function inboundEndpointScenarios(product: () => Product): void {
  describe('an inbound endpoint', () => {
    /** Returns the status of a request signed with this secret. */
    async function statusWith({ formId, token }: OpenedInbound, secret?: string | null): Promise<number> {
      const rawBody = JSON.stringify(VALUES);
      const { status } = await product().visitor.post(`/api/inbound/${formId}`, {
        rawBody,
        headers: {
          authorization: `Bearer ${token}`,
          'x-svcforms-signature-256': secret ? signInbound(rawBody, secret) : undefined,
        },
      });
      return status;
    }

    it('shows its token once, when it is created', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const { token, ...inbound } = await openInbound(client, id, { fieldMapping: { mail: 'email' } });
      expect(inbound).toEqual({
        id: expect.stringMatching(/^inb_/),
        formId: id,
        name: 'Inbound endpoint',
        tokenLast4: token.slice(-4),
        hasSecret: false,
        requireTimestamp: false,
        fieldMapping: { mail: 'email' },
        isEnabled: true,
        url: expect.stringMatching(new RegExp(`/api/inbound/${id}$`)),
        createdAt: expect.any(String),
      });
      const read = await client.get<InboundOut>(`/api/forms/${id}/inbound`, { expect: 200 });
      expect(read.body.data).toEqual(inbound);
    });

    it('exists once per form', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const first = await openInbound(client, id);
      const second = await client.post(`/api/forms/${id}/inbound`, { body: {}, expect: 409 });
      expect(second.body.code).toBe('CONFLICT');
      await sendInbound(client, first, VALUES);
    });

    it('accepts a rotated token immediately and the old one no longer', async () => {
      const { client } = product();
      const old = await openInbound(client, (await createForm(client)).id);
      const path = `/api/forms/${old.formId}/inbound/rotate`;
      const rotated = (await client.post<OpenedInbound>(path, { expect: 200 })).body.data;
      expect(rotated.token).not.toBe(old.token);
      expect(rotated.tokenLast4).toBe(rotated.token.slice(-4));
      await sendInbound(client, old, VALUES, { expect: 401 });
      await sendInbound(client, rotated, VALUES);
    });

    it('requires signatures from when it gets a secret until the secret is removed', async () => {
      const { client } = product();
      const inbound = await openInbound(client, (await createForm(client)).id);
      const path = `/api/forms/${inbound.formId}/inbound`;
      const patch = async (secret: string | true | null) =>
        (await client.patch<InboundOut & { secret?: string }>(path, { body: { secret }, expect: 200 })).body
          .data;
      expect(await statusWith(inbound, null)).toBe(202);

      const chosen = await patch('chosen by its owner');
      expect(chosen.hasSecret).toBe(true);
      expect(chosen).not.toHaveProperty('secret');
      expect(await statusWith(inbound, null)).toBe(401);
      expect(await statusWith(inbound, 'chosen by its owner')).toBe(202);

      const generated = await patch(true);
      expect(generated.secret?.length).toBeGreaterThanOrEqual(24);
      expect(await statusWith(inbound, 'chosen by its owner')).toBe(401);
      expect(await statusWith(inbound, generated.secret)).toBe(202);
      expect((await client.get<InboundOut>(path)).body.data).not.toHaveProperty('secret');

      expect((await patch(null)).hasSecret).toBe(false);
      expect(await statusWith(inbound, null)).toBe(202);
    });

    it('generates a secret when it is created with `secret: true`', async () => {
      const { client } = product();
      const inbound = await openInbound(client, (await createForm(client)).id, { secret: true });
      expect(inbound.secret?.length).toBeGreaterThanOrEqual(24);
      expect(await statusWith(inbound, inbound.secret)).toBe(202);
      expect(await statusWith(inbound, null)).toBe(401);
    });

    it('keeps the fields that an update omits', async () => {
      const { client } = product();
      const { token, ...inbound } = await openInbound(client, (await createForm(client)).id, {
        secret: 'chosen by its owner',
        fieldMapping: { mail: 'email' },
      });
      const path = `/api/forms/${inbound.formId}/inbound`;
      const { body } = await client.patch(path, { body: { isEnabled: false }, expect: 200 });
      expect(body.data).toEqual({ ...inbound, isEnabled: false });
      expect(await statusWith({ ...inbound, token }, 'chosen by its owner')).toBe(403);
    });

    it.each([
      ['a secret of 15 characters', { secret: '123456789012345' }, '/secret'],
      ['a secret that is a number', { secret: 7 }, '/secret'],
      ['a mapping to an invalid field name', { fieldMapping: { a: 'not a name' } }, '/fieldMapping/a'],
      ['an unknown key', { tokn: 'x' }, '/tokn'],
    ])('is not created with %s', async (_, body, pointer) => {
      const { client } = product();
      const { id } = await createForm(client);
      const response = await client.post(`/api/forms/${id}/inbound`, { body, expect: 422 });
      expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
    });

    it('stops immediately when it is deleted, and can be created again', async () => {
      const { client } = product();
      const old = await openInbound(client, (await createForm(client)).id);
      const path = `/api/forms/${old.formId}/inbound`;
      await client.delete(path, { expect: 204 });
      await sendInbound(client, old, VALUES, { expect: 401 });
      await client.get(path, { expect: 404 });
      await sendInbound(client, await openInbound(client, old.formId), VALUES);
    });
  });
}
