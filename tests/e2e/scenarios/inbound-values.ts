import type { SubmissionOut } from '@svcforms/contracts';
import { createForm, createFormWithWebhook, openInbound, sendInbound } from '@svcforms/test-kit';
import { eventOf, verify } from '../event.ts';
import type { Product } from '../stack.ts';

const MIB = 1024 * 1024;

export function inboundValueScenarios(product: () => Product): void {
  describe('values of an inbound request', () => {
    it('reach the webhook endpoint and the store without the token, unknown keys included', async () => {
      const { client, visitor, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
      const values = {
        email: 'ada@example.com',
        crm: { id: 7, tags: ['a', null] },
        '0': 'zero',
        'a.b$c': true,
      };
      const response = await visitor.post<{ submissionId: string }>(`/api/inbound/${form.id}`, {
        body: { ...values, token: inbound.token },
        expect: 202,
      });
      const event = eventOf(await webhookEndpoint.waitFor(() => true));
      expect(event.data).toEqual(values);
      const path = `/api/submissions/${response.body.data.submissionId}`;
      const { body } = await client.get<SubmissionOut>(path, { expect: 200 });
      expect(body.data).toEqual({
        id: event.submissionId,
        formId: form.id,
        data: values,
        metadata: { submittedVia: 'inbound' },
        formVersion: 1,
        status: 'accepted',
        createdAt: event.timestamp,
      });
    });

    it('get the field names that their keys are mapped to', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const fieldMapping = { 'Customer.E-Mail': 'email', text: 'message' };
      const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url, {
        inbound: { fieldMapping },
      });
      await sendInbound(client, inbound, { 'Customer.E-Mail': 'ada@example.com', text: 'hi', other: 1 });
      const event = eventOf(await webhookEndpoint.waitFor(() => true));
      expect(event.data).toEqual({ email: 'ada@example.com', message: 'hi', other: 1 });
    });

    it('are rejected with pointers to the keys as sent', async () => {
      const { client } = product();
      const fieldMapping = { 'e/mail': 'email' };
      const inbound = await openInbound(client, (await createForm(client)).id, { fieldMapping });
      const { body } = await sendInbound(client, inbound, { 'e/mail': 'nowhere' }, { expect: 422 });
      expect(body.code).toBe('VALIDATION_FAILED');
      expect(body.errors).toEqual([{ pointer: '/e~1mail', message: expect.any(String) }]);
      const lacking = await sendInbound(client, inbound, { message: 'hi' }, { expect: 422 });
      expect(lacking.body.errors).toEqual([{ pointer: '/email', message: expect.any(String) }]);
    });

    it('are rejected when two keys map to the same field', async () => {
      const { client } = product();
      const inbound = await openInbound(client, (await createForm(client)).id, {
        fieldMapping: { mail: 'email' },
      });
      const values = { mail: 'a@example.com', email: 'b@example.com' };
      const { body } = await sendInbound(client, inbound, values, { expect: 422 });
      expect(body.errors).toEqual([{ pointer: '/email', message: expect.stringContaining('mail') }]);
    });

    it('are unrestricted when the form has no fields', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url, { form: { fields: [] } });
      await sendInbound(client, inbound, { anything: [1, { goes: null }] });
      expect(eventOf(await webhookEndpoint.waitFor(() => true)).data).toEqual({
        anything: [1, { goes: null }],
      });
    });

    it('can fill a body of exactly 1 MiB, which is delivered whole', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url);
      const around = JSON.stringify({ email: 'ada@example.com', message: '' }).length;
      const message = 'x'.repeat(MIB - around);
      await sendInbound(client, inbound, { email: 'ada@example.com', message });
      const request = await webhookEndpoint.waitFor(() => true, 'the large event');
      expect(eventOf(request).data['message']).toBe(message);
      expect(verify(request, webhook.secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
    });

    it.each([
      ['one byte', MIB + 1],
      ['several MiB', 5 * MIB],
    ])('are rejected when the body exceeds 1 MiB by %s', async (_, size) => {
      const { client, visitor } = product();
      const { formId, token } = await openInbound(client, (await createForm(client)).id);
      const response = await visitor.post(`/api/inbound/${formId}`, {
        rawBody: Buffer.alloc(size, 'x'),
        headers: { authorization: `Bearer ${token}` },
      });
      expect([response.status, response.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    /** Returns the data of the submission created from these values. */
    async function dataOf(inbound: { formId: string; token: string }, values: object): Promise<unknown> {
      const { client } = product();
      const { body } = await sendInbound(client, inbound, values);
      const path = `/api/submissions/${body.data.submissionId}`;
      return (await client.get<SubmissionOut>(path, { expect: 200 })).body.data.data;
    }

    it('keep a field `token` unless it was the credential', async () => {
      const { client, visitor } = product();
      const form = await createForm(client, { fields: [{ name: 'token', type: 'text', required: true }] });
      const inbound = await openInbound(client, form.id);
      expect(await dataOf(inbound, { token: 'a value', other: 1 })).toEqual({ token: 'a value', other: 1 });
      // A credential sent twice must not be stored.
      const refused = await sendInbound(client, inbound, { token: inbound.token }, { expect: 422 });
      expect(refused.body.errors).toEqual([{ pointer: '/token', message: expect.any(String) }]);
      await visitor.post(`/api/inbound/${form.id}`, { body: { token: inbound.token }, expect: 422 });
      const mapped = await openInbound(client, (await createForm(client, { fields: [] })).id, {
        fieldMapping: { token: 'reference' },
      });
      expect(await dataOf(mapped, { token: { id: 7 } })).toEqual({ reference: { id: 7 } });
      const { body } = await visitor.post<{ submissionId: string }>(`/api/inbound/${mapped.formId}`, {
        body: { token: mapped.token, other: 1 },
        expect: 202,
      });
      const path = `/api/submissions/${body.data.submissionId}`;
      expect((await client.get<SubmissionOut>(path)).body.data.data).toEqual({ other: 1 });
    });

    it.each<[string, Record<string, string>, object, object]>([
      [
        'a dotted path reads from objects and lists and keeps the original',
        { 'customer.mail': 'email', 'items.1.sku': 'message' },
        { customer: { mail: 'ada@example.com', id: 7 }, items: [{}, { sku: 'A-1' }] },
        {
          email: 'ada@example.com',
          message: 'A-1',
          customer: { mail: 'ada@example.com', id: 7 },
          items: [{}, { sku: 'A-1' }],
        },
      ],
      [
        'a literal key wins over the path',
        { 'customer.mail': 'email' },
        { 'customer.mail': 'ada@example.com', customer: { mail: 'bob@example.com' } },
        { email: 'ada@example.com', customer: { mail: 'bob@example.com' } },
      ],
      [
        'a part can replace its parent',
        { 'email.value': 'email' },
        { email: { value: 'ada@example.com', id: 7 } },
        { email: 'ada@example.com' },
      ],
      [
        'a path without a value is ignored',
        {
          'items.length': 'a',
          'items.-1': 'b',
          'items.00': 'c',
          'items.2': 'd',
          'text.0': 'e',
          'text.length': 'f',
          'none.constructor': 'g',
          'none.__proto__': 'h',
          'none.missing.deep': 'i',
          'items.': 'j',
        },
        { email: 'ada@example.com', items: [1, 2], text: 'abc', none: {} },
        { email: 'ada@example.com', items: [1, 2], text: 'abc', none: {} },
      ],
    ])('are found by their mapping: %s', async (_, fieldMapping, values, data) => {
      const { client } = product();
      const inbound = await openInbound(client, (await createForm(client)).id, { fieldMapping });
      expect(await dataOf(inbound, values)).toEqual(data);
    });

    it('are rejected with a pointer into the body when a mapped part is invalid', async () => {
      const { client } = product();
      const inbound = await openInbound(client, (await createForm(client)).id, {
        fieldMapping: { 'people.0.e/mail': 'email', 'note.text': 'message' },
      });
      const wrong = { people: [{ 'e/mail': 'nowhere' }], note: { text: { deep: 1 } } };
      const { body } = await sendInbound(client, inbound, wrong, { expect: 422 });
      expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/people/0/e~1mail', '/note/text']);
      const twice = { email: 'a@example.com', people: [{ 'e/mail': 'b@example.com' }] };
      const collision = await sendInbound(client, inbound, twice, { expect: 422 });
      expect(collision.body.errors).toEqual([
        { pointer: '/people/0/e~1mail', message: expect.stringContaining('email') },
      ]);
    });
  });
}
