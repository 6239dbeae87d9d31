import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import type { SecretBox } from './secret-box.ts';

const PURPOSE = 'svcforms approval receipts';
/** The ASN.1 of an Ed25519 private key in PKCS #8 up to its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/**
 * The type of the JWT, so that no other token of the installation passes as a receipt (RFC 8725).
 */
const TYPE = 'approval-receipt+jwt';

/** The claims of a receipt. docs/reference/tasks.md#receipt-claims */
export interface ReceiptClaims {
  /** The origin of the installation. */
  iss: string;
  /** Id of the account. */
  aud: string;
  /** Id of the task. */
  sub: string;
  tool: string;
  actionDigest: string;
  /** Ids of the users or API keys that approved the task. */
  approvedBy: readonly string[];
  /** Seconds since the epoch. */
  iat: number;
  /** Seconds since the epoch. */
  exp: number;
}

/** A public key of receipts as a JSON Web Key (RFC 8037). */
interface ReceiptJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface ReceiptKeys {
  /** Returns the JWT. */
  sign(claims: ReceiptClaims): string;
  /**
   * Returns the claims of a JWT that one of the keys signed as a receipt, else `null`. Doesn't
   * check times, issuer and audience.
   */
  read(jwt: string): ReceiptClaims | null;
  /** The public keys, the current one first. */
  jwks: readonly ReceiptJwk[];
}

/**
 * The Ed25519 keys that sign receipts, derived from the encryption keys: every process has the same
 * without storing them, and they rotate with the encryption keys. ADR 0086
 */
export function createReceiptKeys(secretBox: Pick<SecretBox, 'derive'>): ReceiptKeys {
  const keys = secretBox.derive(PURPOSE).map(keyFromSeed);
  const [current] = keys;
  if (!current) throw new TypeError('a secret box has at least one key');
  const head = encode({ alg: 'EdDSA', typ: TYPE, kid: current.jwk.kid });

  return {
    sign(claims) {
      const signed = `${head}.${encode(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), current.privateKey).toString('base64url')}`;
    },

    read(jwt) {
      const [header = '', payload = '', signature = '', ...rest] = jwt.split('.');
      const { alg, typ, kid } = decode(header) ?? {};
      const key = keys.find(({ jwk }) => jwk.kid === kid);
      if (!key || alg !== 'EdDSA' || typ !== TYPE || rest.length > 0) return null;
      const signed = Buffer.from(`${header}.${payload}`);
      if (!verify(null, signed, key.publicKey, Buffer.from(signature, 'base64url'))) return null;
      return decode(payload) as ReceiptClaims | null;
    },

    jwks: keys.map(({ jwk }) => jwk),
  };
}

function keyFromSeed(seed: Uint8Array): { privateKey: KeyObject; publicKey: KeyObject; jwk: ReceiptJwk } {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  const { x = '' }: JsonWebKey = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(x).digest('hex').slice(0, 16);
  return { privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
