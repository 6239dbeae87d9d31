import { createPublicKey, verify } from 'node:crypto';
import type { ReceivedRequest } from './webhook-endpoint.ts';

/** Whether the request has a `v1a` signature that this public key (`whpk_…`) verifies. */
export function isSignedWithKey(
  { headers, rawBody }: Pick<ReceivedRequest, 'headers' | 'rawBody'>,
  publicKey: string,
): boolean {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]);
  return (signatures ?? '')
    .split(' ')
    .filter((each) => each.startsWith('v1a,'))
    .some((each) => verify(null, signed, key, Buffer.from(each.slice('v1a,'.length), 'base64')));
}
