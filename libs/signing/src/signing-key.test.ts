import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { generateSigningKey, readSigningKey, standardWebhooksHeaders } from './index.ts';

/** The key pair and the signature with which implementations of the standard test `v1a`. */
const VECTOR = {
  privateKey: 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
};

/** Whether a `v1a` signature of the header verifies with a `whpk_` key. */
function isSignedBy(publicKey: string, header: string, signed: string): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signatures = header.split(' ').filter((each) => each.startsWith('v1a,'));
  return signatures.some((each) =>
    verify(null, Buffer.from(signed), key, Buffer.from(each.slice(4), 'base64')),
  );
}

describe('a signing key', () => {
  it('signs like other implementations of the standard', () => {
    const { privateKey, signature, ...signed } = VECTOR;
    for (const body of [signed.body, Buffer.from(signed.body)]) {
      const signingKey = readSigningKey(privateKey);
      const headers = standardWebhooksHeaders({ ...signed, body, secrets: [], signingKey });
      expect(headers['webhook-signature']).toBe(signature);
    }
  });

  it('has a public key of 32 bytes that verifies its signatures, beside those of all secrets', () => {
    const { id, publicKey, privateKey } = generateSigningKey();
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(privateKey).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
    const timestamp = Math.floor(Date.now() / 1000);
    const body = '{"name":"Zoë"}';
    const signingKey = readSigningKey(privateKey);
    const headers = { ...standardWebhooksHeaders({ secrets, signingKey, id: 'evt_1', timestamp, body }) };
    const header = headers['webhook-signature'];
    expect(header).toMatch(/^v1,\S{44} v1,\S{44} v1a,\S{88}$/);
    expect(isSignedBy(publicKey, header, `evt_1.${timestamp}.${body}`)).toBe(true);
    expect(isSignedBy(publicKey, header, `evt_1.${timestamp}.${body} `)).toBe(false);
    expect(isSignedBy(generateSigningKey().publicKey, header, `evt_1.${timestamp}.${body}`)).toBe(false);
    for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  });

  it('adds nothing to the header when there is none', () => {
    const { id, timestamp, body } = VECTOR;
    const headers = standardWebhooksHeaders({ secrets: ['a secret'], id, timestamp, body });
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44}$/);
  });

  it.each(['whsec_c2VjcmV0', 'whsk_c2VjcmV0', VECTOR.privateKey.replace('whsk_', 'whpk_'), ''])(
    'is not read from %j, and the error does not quote it',
    (text) => {
      expect(() => readSigningKey(text)).toThrow(
        /^the sealed signing key of the webhook is not a private key$/,
      );
    },
  );
});
