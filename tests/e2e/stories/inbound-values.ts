import type { SubmissionOut } from '@svcforms/contracts';
import { createForm, createFormWithWebhook, openInbound, sendInbound } from '@svcforms/test-kit';
import { eventOf, verify } from '../event.ts';
import type { Product } from '../stack.ts';

const MIB = 1024 * 1024;

export function inboundValueStories(product: () => Product): void {
  describe('the values of an inbound request', () => {
    it('reach the listener and the store without the token, unknown keys and all', async () => {
      const { client, visitor, listen } = product();
      const listener = await listen();
      const { form, inbound } = await createFormWithWebhook(client, listener.url);
      const values = {
        email: 'ada@example.com',
        crm: { id: 7, tags: ['a', null] },
        '0': 'zero',
        'a.b$c': true,
      };
      const answer = await visitor.post<{ submissionId: string }>(`/api/inbound/${form.id}`, {
        body: { ...values, token: inbound.token },
        expect: 202,
      });
      const event = eventOf(await listener.waitFor(() => true));
      expect(event.data).toEqual(values);
      const path = `/api/submissions/${answer.body.data.submissionId}`;
      const { body } = await client.get<SubmissionOut>(path, { expect: 200 });
      expect(body.data).toEqual({
        id: event.submissionId,
        formId: form.id,
        data: values,
        metadata: { submittedVia: 'inbound' },
        createdAt: event.timestamp,
      });
    });

    it('take the names of the fields that their keys are mapped to', async () => {
      const { client, listen } = product();
      const listener = await listen();
      const fieldMapping = { 'Customer.E-Mail': 'email', text: 'message' };
      const { inbound } = await createFormWithWebhook(client, listener.url, { inbound: { fieldMapping } });
      await sendInbound(client, inbound, { 'Customer.E-Mail': 'ada@example.com', text: 'hi', other: 1 });
      const event = eventOf(await listener.waitFor(() => true));
      expect(event.data).toEqual({ email: 'ada@example.com', message: 'hi', other: 1 });
    });

    it('are refused with pointers at the keys as they were sent', async () => {
      const { client } = product();
      const fieldMapping = { 'e/mail': 'email' };
      const inbound = await openInbound(client, (await createForm(client)).id, { fieldMapping });
      const { body } = await sendInbound(client, inbound, { 'e/mail': 'nowhere' }, { expect: 422 });
      expect(body.code).toBe('VALIDATION_FAILED');
      expect(body.errors).toEqual([{ pointer: '/e~1mail', message: expect.any(String) }]);
      const lacking = await sendInbound(client, inbound, { message: 'hi' }, { expect: 422 });
      expect(lacking.body.errors).toEqual([{ pointer: '/email', message: expect.any(String) }]);
    });

    it('are refused where two keys mean the same field', async () => {
      const { client } = product();
      const inbound = await openInbound(client, (await createForm(client)).id, {
        fieldMapping: { mail: 'email' },
      });
      const values = { mail: 'a@example.com', email: 'b@example.com' };
      const { body } = await sendInbound(client, inbound, values, { expect: 422 });
      expect(body.errors).toEqual([{ pointer: '/email', message: expect.stringContaining('mail') }]);
    });

    it('may be anything where the form has no fields', async () => {
      const { client, listen } = product();
      const listener = await listen();
      const { inbound } = await createFormWithWebhook(client, listener.url, { form: { fields: [] } });
      await sendInbound(client, inbound, { anything: [1, { goes: null }] });
      expect(eventOf(await listener.waitFor(() => true)).data).toEqual({ anything: [1, { goes: null }] });
    });

    it('may fill a body of exactly 1 MiB, which is delivered whole', async () => {
      const { client, listen } = product();
      const listener = await listen();
      const { inbound, webhook } = await createFormWithWebhook(client, listener.url);
      const around = JSON.stringify({ email: 'ada@example.com', message: '' }).length;
      const message = 'x'.repeat(MIB - around);
      await sendInbound(client, inbound, { email: 'ada@example.com', message });
      const request = await listener.waitFor(() => true, 'the large event');
      expect(eventOf(request).data['message']).toBe(message);
      expect(verify(request, webhook.secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
    });

    it.each([
      ['one byte', MIB + 1],
      ['several MiB', 5 * MIB],
    ])('are refused when the body is larger than 1 MiB by %s', async (_, size) => {
      const { client, visitor } = product();
      const { formId, token } = await openInbound(client, (await createForm(client)).id);
      const answer = await visitor.post(`/api/inbound/${formId}`, {
        rawBody: Buffer.alloc(size, 'x'),
        headers: { authorization: `Bearer ${token}` },
      });
      expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
  });
}
