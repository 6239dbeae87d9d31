import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';

/** The prefixes of Standard Webhooks for public and private keys. */
const PUBLIC_PREFIX = 'whpk_';
const PRIVATE_PREFIX = 'whsk_';
const SEED_BYTES = 32;

/** A key pair as text, in the format of Standard Webhooks. */
export interface SigningKeyPair {
  /** Derived from the public key, so that it says nothing else. */
  id: string;
  /** `whpk_` and the 32 bytes of the public key in base64. */
  publicKey: string;
  /** `whsk_` and the seed and the public key, 64 bytes, in base64. */
  privateKey: string;
}

/** Generates an Ed25519 key pair. */
export function generateSigningKey(): SigningKeyPair {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    id: createHash('sha256').update(publicKey).digest('hex').slice(0, 16),
    publicKey: PUBLIC_PREFIX + publicKey.toString('base64'),
    privateKey: PRIVATE_PREFIX + Buffer.concat([seed, publicKey]).toString('base64'),
  };
}

/** Reads a private key of {@link generateSigningKey}. @throws Error that doesn't contain the key */
export function readSigningKey(privateKey: string): KeyObject {
  const bytes = Buffer.from(privateKey.slice(PRIVATE_PREFIX.length), 'base64');
  if (!privateKey.startsWith(PRIVATE_PREFIX) || bytes.length !== 2 * SEED_BYTES) {
    throw new Error('the sealed signing key of the webhook is not a private key');
  }
  const key: JsonWebKey = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: bytes.subarray(0, SEED_BYTES).toString('base64url'),
    x: bytes.subarray(SEED_BYTES).toString('base64url'),
  };
  return createPrivateKey({ key, format: 'jwk' });
}

/** Signs with Ed25519 (RFC 8032). The signature of the same bytes is always the same. */
export function signWithKey(key: KeyObject, parts: readonly (string | Uint8Array)[]): string {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return sign(null, bytes, key).toString('base64');
}
