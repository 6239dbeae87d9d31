import { signInbound } from '@svcforms/signing';
import { createForm, openInbound, sendInbound } from '@svcforms/test-kit';
import { openAccount, type Product } from '../stack.ts';

const SECRET = 'shared with the other system';
const UNKNOWN_FORM = 'frm_01ARZ3NDEKTSV4RRFFQ69G5FAV';

export function inboundCheckScenarios(product: () => Product): void {
  describe('an inbound request', () => {
    it('that fails several checks gets the first: form, token, enabled, plan, signature, body, values', async () => {
      const { admin, visitor } = product();
      const { accountId, client } = await openAccount(product(), { plan: 'free' });
      const form = await createForm(client);
      const { token } = await openInbound(client, form.id, { secret: SECRET, isEnabled: false });
      let [path, rawBody] = [`/api/inbound/${UNKNOWN_FORM}`, '["no object"]'];
      const headers: Record<string, string> = { 'x-svcforms-signature-256': 'nonsense' };
      const outcome = async () => {
        const { status, body } = await visitor.post(path, { rawBody, headers });
        return `${status} ${body.code ?? ''}`.trim();
      };

      expect(await outcome()).toBe('404 NOT_FOUND');
      path = `/api/inbound/${form.id}`;
      expect(await outcome()).toBe('401 UNAUTHORIZED');
      headers['authorization'] = `Bearer ${token}`;
      expect(await outcome()).toBe('403 ENDPOINT_DISABLED');
      await client.patch(`/api/forms/${form.id}/inbound`, { body: { isEnabled: true }, expect: 200 });
      expect(await outcome()).toBe('403 PLAN_RESTRICTED');
      await admin('account', 'set-plan', accountId, 'pro');
      expect(await outcome()).toBe('401 INVALID_SIGNATURE');
      headers['x-svcforms-signature-256'] = signInbound(rawBody, SECRET);
      expect(await outcome()).toBe('400 INVALID_BODY');
      rawBody = '{"email":"no address"}';
      headers['x-svcforms-signature-256'] = signInbound(rawBody, SECRET);
      expect(await outcome()).toBe('422 VALIDATION_FAILED');
      rawBody = '{"email":"ada@example.com"}';
      headers['x-svcforms-signature-256'] = signInbound(rawBody, SECRET);
      expect(await outcome()).toBe('202');
    });

    it.each([
      ['empty', ''],
      ['invalid JSON', '{"email":'],
      ['a list', '[{"email":"a@example.com"}]'],
      ['a string', '"email"'],
      ['a number', '7'],
      ['null', 'null'],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['nested too deeply', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
    ])('with %s as its body is rejected', async (_, rawBody) => {
      const { client, visitor } = product();
      const { formId, token } = await openInbound(client, (await createForm(client)).id);
      const headers = { authorization: `Bearer ${token}` };
      const response = await visitor.post(`/api/inbound/${formId}`, { rawBody, headers });
      expect([response.status, response.body.code]).toEqual([400, 'INVALID_BODY']);
    });

    it.each([
      ['none', undefined],
      ['of another scheme', 'Basic abc'],
      ['without its last character', (token: string) => `Bearer ${token.slice(0, -1)}`],
      ['in upper case', (token: string) => `Bearer ${token.toUpperCase()}`],
      ['an API key', `Bearer svc_key_${'A'.repeat(43)}`],
    ])('with a token that is %s is unauthorized', async (_, authorization) => {
      const { client, visitor } = product();
      const { formId, token } = await openInbound(client, (await createForm(client)).id);
      const headers = {
        authorization: typeof authorization === 'function' ? authorization(token) : authorization,
      };
      const response = await visitor.post(`/api/inbound/${formId}`, {
        body: { email: 'a@example.com' },
        headers,
      });
      expect([response.status, response.body.code]).toEqual([401, 'UNAUTHORIZED']);
    });

    it("with the token of another form's endpoint is unauthorized", async () => {
      const { client } = product();
      const mine = await openInbound(client, (await createForm(client)).id);
      const other = await openInbound(client, (await createForm(client)).id);
      await sendInbound(client, { ...mine, token: other.token }, { email: 'a@example.com' }, { expect: 401 });
      await sendInbound(client, mine, { email: 'a@example.com' });
    });

    it('to a form without an endpoint is unauthorized', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const { body } = await sendInbound(client, { formId, token: 'svc_inb_x' }, {}, { expect: 401 });
      expect(body.code).toBe('UNAUTHORIZED');
    });

    it.each(['frm_1', 'sub_01ARZ3NDEKTSV4RRFFQ69G5FAV', '..%2Fforms'])(
      'to the form "%s" gets 404',
      async (id) => {
        const response = await product().visitor.post(`/api/inbound/${id}`, { body: {} });
        expect([response.status, response.body.code]).toEqual([404, 'NOT_FOUND']);
      },
    );

    it('can carry its token in the header or the body; the header wins', async () => {
      const { client, visitor } = product();
      const { formId, token } = await openInbound(client, (await createForm(client)).id);
      const statusOf = async (header: string | undefined, inBody: unknown) => {
        const headers = { authorization: header && `Bearer ${header}` };
        const body = { email: 'a@example.com', ...(inBody === undefined ? {} : { token: inBody }) };
        return (await visitor.post(`/api/inbound/${formId}`, { body, headers })).status;
      };
      expect(await statusOf(token, undefined)).toBe(202);
      expect(await statusOf(undefined, token)).toBe(202);
      expect(await statusOf(token, 'svc_inb_wrong')).toBe(202);
      expect(await statusOf('svc_inb_wrong', token)).toBe(401);
      expect(await statusOf(undefined, [token])).toBe(401);
    });
  });
}
