import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

type SecretBoxErrorCode =
  /** The list of keys is empty, or a key isn't 32 bytes in base64. */
  | 'BAD_KEY'
  /** The text isn't a sealed secret. */
  | 'ILL_FORMED'
  /** The secret was sealed with a key that isn't in the list, or dropped. */
  | 'UNKNOWN_KEY'
  /** The secret was changed, or sealed for another context. */
  | 'NOT_AUTHENTIC';

/**
 * The errors of a secret box, told apart by `code`. Messages never contain a key or a plain text.
 */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
  constructor(
    readonly code: SecretBoxErrorCode,
    message: string,
    /**
     * With `UNKNOWN_KEY`: the id of the key that isn't in the list. Absent for a dropped secret.
     */
    readonly keyId?: string,
  ) {
    super(message);
  }
}

const NOT_OPENED: ReadonlySet<unknown> = new Set<SecretBoxErrorCode>([
  'ILL_FORMED',
  'UNKNOWN_KEY',
  'NOT_AUTHENTIC',
]);

/** Whether a sealed secret couldn't be opened. */
export function isNotOpened(error: unknown): error is SecretBoxError {
  return error instanceof Error && 'code' in error && NOT_OPENED.has(error.code);
}

/** Encryption of small secrets at rest. */
export interface SecretBox {
  /**
   * @param context the record that the secret belongs to, e.g. `webhooks/whk_…`. Only the same
   * context opens it, so a sealed secret that is copied to another record can't be opened
   */
  seal(plain: string, context: string): string;
  /** @throws SecretBoxError `ILL_FORMED`, `UNKNOWN_KEY`, `NOT_AUTHENTIC` */
  open(sealed: string, context: string): string;
  /** Whether the secret was sealed with an older key. @throws SecretBoxError `ILL_FORMED` */
  needsResealing(sealed: string): boolean;
  /**
   * Derives 32 bytes from each key (HKDF with SHA-256), the current one first. All processes with
   * these keys derive the same bytes, and nobody learns a key from them.
   * @param purpose what the bytes are for; each purpose has its own bytes
   */
  derive(purpose: string): Uint8Array[];
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The standard size for GCM. Random IVs of this size are safe for 2³² seals per key. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `v1.<key id>.<iv>.<ciphertext>.<tag>`, the last three in base64url. */
const SEALED = /^v1\.([0-9a-f]{16})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;

/**
 * Replaces a sealed secret whose key is lost. No key decrypts it, so whatever needs the secret
 * fails until it has a new one, and nothing treats the secret as missing.
 */
export const DROPPED_SECRET = 'dropped';

/** Generates a key for {@link createSecretBox}: 32 random bytes in base64. */
export function generateEncryptionKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * Creates a secret box (AES-256-GCM). The first key seals and all keys open, so that keys can be
 * rotated.
 * @param keys 32 bytes each, in base64
 * @throws SecretBoxError `BAD_KEY`, with the position in the list
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const ring = new Map(keys.map((key, index) => parseKey(key, index)));
  const [current] = ring;
  if (!current) {
    throw new SecretBoxError('BAD_KEY', 'no encryption key: at least one is required');
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
      if (sealed === DROPPED_SECRET) {
        throw new SecretBoxError(
          'UNKNOWN_KEY',
          `${context} was dropped, because its encryption key is lost: set a new one`,
        );
      }
      const { keyId, iv, ciphertext, tag } = parseSealed(sealed);
      const key = ring.get(keyId);
      if (!key) {
        throw new SecretBoxError(
          'UNKNOWN_KEY',
          `${context} was sealed with the key ${keyId}, which is not in the list: add it after the current key`,
          keyId,
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

    derive: (purpose) =>
      [...ring.values()].map((key) => new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES))),
  };
}

function parseKey(key: string, index: number): [id: string, key: KeyObject] {
  const bytes = Buffer.from(key, 'base64');
  // Node's decoder skips invalid characters; encoding the result again detects them.
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== key) {
    throw new SecretBoxError(
      'BAD_KEY',
      `encryption key ${index + 1} is not base64 of ${KEY_BYTES} bytes (44 characters; generate one with: openssl rand -base64 32)`,
    );
  }
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return [id, createSecretKey(bytes)];
}

/** A key id can't contain NUL, so different pairs have different bytes. */
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
