// Strangers send requests to the receivers in the documents, so no header may make one throw.
import { generateSigningKey, readSigningKey, standardWebhooksHeaders } from '@svcforms/signing';
import { root } from '@svcforms/test-kit';
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SECRET = 'whsec_of_the_example';
const BODY = '{"data":{}}';

type IsGenuine = (header: string | undefined, body: string, secret: string) => boolean;

/** The function of a document. It has its imports and the secret as parameters. */
function exampleIn(file: string): IsGenuine {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const [code] = /function isGenuine[^]*?\n}/.exec(text) ?? [];
  // eslint-disable-next-line typescript/no-implied-eval -- The document is our own.
  const compile = new Function('createHmac', 'timingSafeEqual', 'secret', `return ${code}`) as (
    ...imports: [typeof createHmac, typeof timingSafeEqual, string]
  ) => IsGenuine;
  return compile(createHmac, timingSafeEqual, SECRET);
}

describe.each([
  'docs/reference/webhooks.md',
  'docs/guides/first-webhook.md',
  'docs/guides/develop-webhooks.md',
])('the receiver of %s', (file) => {
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', SECRET).update(`${t}.${BODY}`).digest('hex');
  const isGenuine = (header: string | undefined) => exampleIn(file)(header, BODY, SECRET);

  it('accepts a genuine signature, also beside another one', () => {
    expect(isGenuine(`t=${t},v1=${v1}`)).toBe(true);
    expect(isGenuine(`t=${t},v1=${'0'.repeat(64)},v1=${v1}`)).toBe(true);
  });

  it.each([undefined, '', 't', 'v1', `t=${t}`, `t=${t},v1`, `t=${t},v1=`, `t=${t},v1=${'z'.repeat(64)}`])(
    'refuses %j without an error',
    (header) => {
      expect(isGenuine(header)).toBe(false);
    },
  );
});

describe('the receiver of the section about public keys', () => {
  const text = readFileSync(`${root}docs/reference/webhooks.md`, 'utf8');
  const [code] = /function isGenuine\(headers[^]*?\n}/.exec(text) ?? [];
  // eslint-disable-next-line typescript/no-implied-eval -- The document is our own.
  const compile = new Function('createPublicKey', 'verify', `return ${code}`) as (
    ...imports: [typeof createPublicKey, typeof verify]
  ) => (headers: Record<string, string>, body: Buffer, publicKey: string) => boolean;
  const { publicKey, privateKey } = generateSigningKey();
  const timestamp = Math.floor(Date.now() / 1000);
  const signed: Record<string, string> = {
    ...standardWebhooksHeaders({
      secrets: [SECRET],
      signingKey: readSigningKey(privateKey),
      id: 'evt_1',
      timestamp,
      body: BODY,
    }),
  };
  const isGenuine = (headers: Record<string, string>) =>
    compile(createPublicKey, verify)(headers, Buffer.from(BODY), publicKey);

  it('accepts a genuine signature beside that of the secret', () => {
    expect(isGenuine(signed)).toBe(true);
  });

  it.each(Object.keys(signed))('refuses a request without %s, or with an empty one', (name) => {
    const { [name]: _, ...others } = signed;
    expect(isGenuine(others)).toBe(false);
    expect(isGenuine({ ...others, [name]: '' })).toBe(false);
  });

  it.each(['v1a', 'v1a,', 'v1a,?', `v1a,${'A'.repeat(86)}==`])('refuses %j without an error', (signature) => {
    expect(isGenuine({ ...signed, 'webhook-signature': signature })).toBe(false);
  });
});
