import { signInbound } from '@svcforms/signing';
import { createForm, openInbound, sendInbound, type OpenedInbound } from '@svcforms/test-kit';
import type { SubmissionOut } from '@svcforms/contracts';
import type { Product } from '../stack.ts';

const SECRET = 'schlüssel 🔑 of the other system';
const BODY = '{"email":"ada@example.com"}';

export function inboundSignatureScenarios(product: () => Product): void {
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
      ['literal Unicode', '{"email":"ada@example.com","message":"žluťoučký 漢字 👩‍🚀 \u2028"}'],
      ['escaped Unicode', '{"email":"ada@example.com","message":"\\u017elu\\ud83d\\udc69 \\u2028"}'],
      ['the same key twice', '{"email":"first@example.com","email":"ada@example.com"}'],
      [
        'numbers that a parser would change',
        '{"email":"ada@example.com","n":1.000,"m":12345678901234567890}',
      ],
    ])('verifies a body with %s over its exact bytes', async (_, rawBody) => {
      const response = await send(rawBody, signInbound(rawBody, SECRET));
      expect(response.status).toBe(202);
      const stored = await product().client.get<SubmissionOut>(
        `/api/submissions/${response.body.data.submissionId}`,
        { expect: 200 },
      );
      expect(stored.body.data.data).toEqual(JSON.parse(rawBody));
    });

    it.each([
      ['lower-case hex', (hex: string) => hex],
      ['upper-case hex', (hex: string) => hex.toUpperCase()],
      ['the prefix sha256=', (hex: string) => `sha256=${hex}`],
      ['the prefix before upper-case hex', (hex: string) => `sha256=${hex.toUpperCase()}`],
    ])('accepts a signature in %s', async (_, written) => {
      expect((await send(BODY, written(signInbound(BODY, SECRET)))).status).toBe(202);
    });

    it.each([
      ['absent', () => undefined],
      ['empty', () => ''],
      ['only the prefix', () => 'sha256='],
      ['one digit short', (hex: string) => hex.slice(0, -1)],
      ['one digit long', (hex: string) => `${hex}0`],
      ['twice as long', (hex: string) => hex + hex],
      ['not hex', () => 'z'.repeat(64)],
      ['hex with one invalid digit', (hex: string) => `${hex.slice(0, -1)}g`],
      ['base64', (hex: string) => Buffer.from(hex, 'hex').toString('base64')],
      ['labeled with another algorithm', (hex: string) => `sha1=${hex}`],
      ['prefixed twice', (hex: string) => `sha256=sha256=${hex}`],
      ['of other bytes', () => signInbound(`${BODY}\n`, SECRET)],
      ['of another secret', () => signInbound(BODY, `${SECRET} `)],
      ['two in one header', (hex: string) => `${hex}, ${hex}`],
    ])('is rejected when its signature is %s', async (_, written) => {
      const response = await send(BODY, written(signInbound(BODY, SECRET)));
      expect([response.status, response.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
    });

    it('needs no signature when the endpoint has no secret, and a given one is ignored', async () => {
      const { client } = product();
      const open = await openInbound(client, (await createForm(client)).id);
      const headers = { authorization: `Bearer ${open.token}`, 'x-svcforms-signature-256': 'nonsense' };
      await client.post(`/api/inbound/${open.formId}`, { rawBody: BODY, headers, expect: 202 });
    });
  });

  describe('an inbound endpoint that requires a timestamp', () => {
    const now = () => Math.floor(Date.now() / 1000);
    const timestamped = (timestamp: string, body = BODY, secret = SECRET) =>
      signInbound(`${timestamp}.${body}`, secret);
    let inbound: OpenedInbound;
    const send = async (
      headers: Readonly<Record<string, string | undefined>>,
      { formId, token }: OpenedInbound = inbound,
    ) => {
      const response = await product().visitor.post(`/api/inbound/${formId}`, {
        rawBody: BODY,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      return `${response.status} ${response.body.code ?? ''}`.trim();
    };
    const signed = (timestamp: string, signature = timestamped(timestamp)) => ({
      'x-svcforms-timestamp': timestamp,
      'x-svcforms-signature-256': signature,
    });

    beforeAll(async () => {
      const { client } = product();
      const { id } = await createForm(client);
      inbound = await openInbound(client, id, { secret: SECRET, requireTimestamp: true });
    });

    it('reports it, and accepts a signature over the timestamp, a dot and the bytes of the body', async () => {
      expect(inbound.requireTimestamp).toBe(true);
      const timestamp = String(now());
      expect(await send(signed(timestamp))).toBe('202');
      expect(await send(signed(timestamp, `sha256=${timestamped(timestamp).toUpperCase()}`))).toBe('202');
    });

    it.each([
      ['a quarter of a minute less than 300 s old', -285, '202'],
      ['a quarter of a minute less than 300 s ahead', 285, '202'],
      ['more than 300 s old', -302, '401 INVALID_SIGNATURE'],
      ['more than 300 s ahead', 315, '401 INVALID_SIGNATURE'],
    ])('checks a timestamp that is %s', async (_, offset, outcome) => {
      expect(await send(signed(String(now() + offset)))).toBe(outcome);
    });

    it.each<[string, (timestamp: string) => Record<string, string | undefined>]>([
      ['no timestamp', (t) => ({ ...signed(t), 'x-svcforms-timestamp': undefined })],
      ['no signature', (t) => ({ ...signed(t), 'x-svcforms-signature-256': undefined })],
      ['a signature over the body alone', (t) => signed(t, signInbound(BODY, SECRET))],
      ['another timestamp than the signed one', (t) => signed(t, timestamped(String(Number(t) - 1)))],
      ['a signature with another secret', (t) => signed(t, timestamped(t, BODY, `${SECRET} `))],
      ['milliseconds', (t) => signed(`${t}000`)],
      ['a fraction', (t) => signed(`${t}.0`)],
      ['a sign', (t) => signed(`+${t}`)],
      ['hexadecimal digits', (t) => signed(`0x${Number(t).toString(16)}`)],
      ['an empty timestamp', () => signed('')],
      ['a date', () => signed(new Date().toISOString())],
      ['two timestamps', (t) => signed(`${t}, ${t}`)],
    ])('rejects %s', async (_, headersOf) => {
      expect(await send(headersOf(String(now())))).toBe('401 INVALID_SIGNATURE');
    });

    it('is the only kind that checks the timestamp', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const plain = await openInbound(client, id, { secret: SECRET });
      for (const timestamp of [String(now()), '1', 'nonsense']) {
        expect(await send(signed(timestamp, signInbound(BODY, SECRET)), plain)).toBe('202');
        expect(await send(signed(timestamp), plain)).toBe('401 INVALID_SIGNATURE');
      }
      const unsigned = await openInbound(client, (await createForm(client)).id);
      expect(await send({ 'x-svcforms-timestamp': '1' }, unsigned)).toBe('202');
    });

    it('is enabled by a PATCH when it has a secret, and disabled by a PATCH or with the secret', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const endpoint = await openInbound(client, id);
      const path = `/api/forms/${id}/inbound`;
      const patch = async (body: object, expect = 200) =>
        (await client.patch<{ hasSecret: boolean; requireTimestamp: boolean }>(path, { body, expect })).body;
      const issue = { pointer: '/requireTimestamp', message: expect.any(String) };
      expect((await patch({ requireTimestamp: true }, 422)).errors).toEqual([issue]);
      expect((await patch({ secret: null, requireTimestamp: true }, 422)).errors).toEqual([issue]);
      expect((await patch({ secret: SECRET, requireTimestamp: true })).data).toMatchObject({
        hasSecret: true,
        requireTimestamp: true,
      });
      const timestamp = String(now());
      expect(await send(signed(timestamp), endpoint)).toBe('202');
      expect((await patch({ isEnabled: true })).data.requireTimestamp).toBe(true);
      expect((await patch({ requireTimestamp: false })).data.requireTimestamp).toBe(false);
      expect(await send(signed(timestamp), endpoint)).toBe('401 INVALID_SIGNATURE');
      expect((await patch({ requireTimestamp: true })).data.requireTimestamp).toBe(true);
      expect((await patch({ secret: null })).data).toMatchObject({
        hasSecret: false,
        requireTimestamp: false,
      });
      await sendInbound(client, endpoint, JSON.parse(BODY) as object);
      expect((await patch({ secret: SECRET })).data.requireTimestamp).toBe(false);
    });
  });
}
