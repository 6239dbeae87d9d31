// Strangers send requests to the receivers in the documents, so no header may make one throw.
import { root } from '@svcforms/test-kit';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SECRET = 'whsec_of_the_example';
const BODY = '{"data":{}}';

type IsGenuine = (header: string, body: string, secret: string) => boolean;

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
  const isGenuine = (header: string) => exampleIn(file)(header, BODY, SECRET);

  it('accepts a genuine signature, also beside another one', () => {
    expect(isGenuine(`t=${t},v1=${v1}`)).toBe(true);
    expect(isGenuine(`t=${t},v1=${'0'.repeat(64)},v1=${v1}`)).toBe(true);
  });

  it.each(['', 't', 'v1', `t=${t}`, `t=${t},v1`, `t=${t},v1=`, `t=${t},v1=${'z'.repeat(64)}`])(
    'refuses %j without an error',
    (header) => {
      expect(isGenuine(header)).toBe(false);
    },
  );
});
