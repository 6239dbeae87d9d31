import { createHmac } from 'node:crypto';
import { standardWebhooksHeaders } from './index.ts';

const TIMESTAMP = 1_790_000_000;

function signatureWith(secret: string): string {
  const options = { secrets: [secret], id: 'evt_1', timestamp: TIMESTAMP, body: '{}' };
  return standardWebhooksHeaders(options)['webhook-signature'];
}

describe('the key of webhook-signature', () => {
  const bytes = Buffer.from('0123456789abcdef0123456789abcdef');

  it.each<[string, string, string | Buffer]>([
    ['the decoded bytes after whsec_', `whsec_${bytes.toString('base64')}`, bytes],
    ['decoded bytes of any length', 'whsec_YWI=', 'ab'],
    ['the whole secret without the prefix', bytes.toString('base64'), bytes.toString('base64')],
    ['the whole secret without the prefix, even if its end is base64', 'secretYWJj', 'secretYWJj'],
    ['the whole secret when the rest is empty', 'whsec_', 'whsec_'],
    ['the whole secret when the rest lacks its padding', 'whsec_YWI', 'whsec_YWI'],
    ['the whole secret when the rest is of the url alphabet', 'whsec_a-_a', 'whsec_a-_a'],
    ['the whole secret when the rest has a space', 'whsec_YWJj ', 'whsec_YWJj '],
    ['the UTF-8 bytes of a secret beyond ASCII', 'geheim é 🔑', Buffer.from('geheim é 🔑', 'utf8')],
  ])('is %s', (_what, secret, key) => {
    const expected = createHmac('sha256', key).update(`evt_1.${TIMESTAMP}.{}`).digest('base64');

    expect(signatureWith(secret)).toBe(`v1,${expected}`);
  });
});
