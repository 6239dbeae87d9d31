import { signInbound } from '@svcforms/signing';
import { createForm, openInbound, type OpenedInbound } from '@svcforms/test-kit';
import type { SubmissionOut } from '@svcforms/contracts';
import type { Product } from '../stack.ts';

const SECRET = 'schlüssel 🔑 of the other system';
const BODY = '{"email":"ada@example.com"}';

export function inboundSignatureStories(product: () => Product): void {
  describe('a signed inbound request', () => {
    let inbound: OpenedInbound;

    beforeAll(async () => {
      const { client } = product();
      inbound = await openInbound(client, (await createForm(client)).id, { secret: SECRET });
    });

    const send = (rawBody: string, signature: string | undefined) =>
      product().visitor.post<{ submissionId: string }>(`/api/inbound/${inbound.formId}`, {
        rawBody,
        headers: { authorization: `Bearer ${inbound.token}`, 'X-SvcForms-Signature-256': signature },
      });

    it.each([
      ['odd spacing', '  {\t"email" :  "ada@example.com"\n,\n\n "message":"a  b" }  '],
      ['CRLF', '{\r\n  "email": "ada@example.com",\r\n  "message": "a\\r\\nb"\r\n}\r\n'],
      ['unicode as it is', '{"email":"ada@example.com","message":"žluťoučký 漢字 👩‍🚀 \u2028"}'],
      ['unicode as escapes', '{"email":"ada@example.com","message":"\\u017elu\\ud83d\\udc69 \\u2028"}'],
      ['the same key twice', '{"email":"first@example.com","email":"ada@example.com"}'],
      [
        'numbers that do not survive a parser',
        '{"email":"ada@example.com","n":1.000,"m":12345678901234567890}',
      ],
    ])('is taken when its body has %s, because the very bytes are what counts', async (_, rawBody) => {
      const answer = await send(rawBody, signInbound(rawBody, SECRET));
      expect(answer.status).toBe(202);
      const stored = await product().client.get<SubmissionOut>(
        `/api/submissions/${answer.body.data.submissionId}`,
        { expect: 200 },
      );
      expect(stored.body.data.data).toEqual(JSON.parse(rawBody));
    });

    it.each([
      ['lower-case hex', (hex: string) => hex],
      ['upper-case hex', (hex: string) => hex.toUpperCase()],
      ['the prefix sha256=', (hex: string) => `sha256=${hex}`],
      ['the prefix before upper-case hex', (hex: string) => `sha256=${hex.toUpperCase()}`],
    ])('may be signed in %s', async (_, written) => {
      expect((await send(BODY, written(signInbound(BODY, SECRET)))).status).toBe(202);
    });

    it.each([
      ['absent', () => undefined],
      ['empty', () => ''],
      ['only the prefix', () => 'sha256='],
      ['one digit short', (hex: string) => hex.slice(0, -1)],
      ['one digit long', (hex: string) => `${hex}0`],
      ['twice as long', (hex: string) => hex + hex],
      ['no hex', () => 'z'.repeat(64)],
      ['hex with one stranger', (hex: string) => `${hex.slice(0, -1)}g`],
      ['base64', (hex: string) => Buffer.from(hex, 'hex').toString('base64')],
      ['given another name', (hex: string) => `sha1=${hex}`],
      ['prefixed twice', (hex: string) => `sha256=sha256=${hex}`],
      ['of other bytes', () => signInbound(`${BODY}\n`, SECRET)],
      ['of another secret', () => signInbound(BODY, `${SECRET} `)],
      ['two in one header', (hex: string) => `${hex}, ${hex}`],
    ])('is refused when its signature is %s', async (_, written) => {
      const answer = await send(BODY, written(signInbound(BODY, SECRET)));
      expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
    });

    it('needs no signature where the endpoint has no secret, and then none is looked at', async () => {
      const { client } = product();
      const open = await openInbound(client, (await createForm(client)).id);
      const headers = { authorization: `Bearer ${open.token}`, 'x-svcforms-signature-256': 'nonsense' };
      await client.post(`/api/inbound/${open.formId}`, { rawBody: BODY, headers, expect: 202 });
    });
  });
}
