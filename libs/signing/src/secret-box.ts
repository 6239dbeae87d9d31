import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

export type SecretBoxErrorCode =
  /** The list of keys is empty, or one of them isn't 32 bytes in base64. */
  | 'BAD_KEY'
  /** The text wasn't made by a secret box. */
  | 'ILL_FORMED'
  /** It was sealed with a key that isn't in the list. */
  | 'UNKNOWN_KEY'
  /** It was changed, or sealed for another context. */
  | 'NOT_AUTHENTIC';

/** What a secret box throws; match by `code`. Messages never hold a key or a plain text. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
  constructor(
    readonly code: SecretBoxErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Encryption of small secrets at rest. */
export interface SecretBox {
  /**
   * @param context the record that the secret belongs to, e.g. `webhooks/whk_…`: only the same context opens it, so
   * a sealed secret that is copied into another record stays shut
   */
  seal(plain: string, context: string): string;
  /** @throws SecretBoxError `ILL_FORMED`, `UNKNOWN_KEY`, `NOT_AUTHENTIC` */
  open(sealed: string, context: string): string;
  /** Whether it was sealed with another key than the current one. @throws SecretBoxError `ILL_FORMED` */
  needsResealing(sealed: string): boolean;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** What GCM is made for; random ones are safe for 2³² seals a key. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `v1.<key id>.<iv>.<ciphertext>.<tag>`, the last three in base64url. */
const SEALED = /^v1\.([0-9a-f]{16})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;

/** A new key for {@link createSecretBox}: 32 random bytes in base64. */
export function generateEncryptionKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * AES-256-GCM with a list of keys, so that keys can be rotated: the first one seals, all of them open.
 * @param keys 32 bytes each, in base64
 * @throws SecretBoxError `BAD_KEY`, naming the place in the list
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const ring = new Map(keys.map((key, index) => parseKey(key, index)));
  const [current] = ring;
  if (!current) {
    throw new SecretBoxError('BAD_KEY', 'no encryption key was given: at least one is needed');
  }
  const [currentId, currentKey] = current;

  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, currentKey, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundData(currentId, context));
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return ['v1', currentId, ...parts].join('.');
    },

    open(sealed, context) {
      const { keyId, iv, ciphertext, tag } = parseSealed(sealed);
      const key = ring.get(keyId);
      if (!key) {
        throw new SecretBoxError(
          'UNKNOWN_KEY',
          `${context} was sealed with the key ${keyId}, which is not in the list: add that key after the current one`,
        );
      }
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundData(keyId, context));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch {
        throw new SecretBoxError('NOT_AUTHENTIC', `${context} was changed, or sealed for another record`);
      }
    },

    needsResealing: (sealed) => parseSealed(sealed).keyId !== currentId,
  };
}

function parseKey(key: string, index: number): [id: string, key: KeyObject] {
  const bytes = Buffer.from(key, 'base64');
  // Node's decoder skips what it doesn't know; the way back shows whether it did.
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== key) {
    throw new SecretBoxError(
      'BAD_KEY',
      `encryption key ${index + 1} is not base64 of ${KEY_BYTES} bytes (44 characters, as of: openssl rand -base64 32)`,
    );
  }
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return [id, createSecretKey(bytes)];
}

/** NUL can't be in a key id, so no two pairs give the same bytes. */
function boundData(keyId: string, context: string): Buffer {
  return Buffer.from(`v1\0${keyId}\0${context}`);
}

function parseSealed(sealed: string): { keyId: string; iv: Buffer; ciphertext: Buffer; tag: Buffer } {
  const [, keyId, ...parts] = SEALED.exec(sealed) ?? [];
  const [iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!keyId || !iv || !ciphertext || !tag) {
    throw new SecretBoxError(
      'ILL_FORMED',
      'not a sealed secret: expected v1.<key id>.<iv>.<ciphertext>.<tag>',
    );
  }
  return { keyId, iv, ciphertext, tag };
}
