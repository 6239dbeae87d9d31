import { createHmac, createSecretKey, type BinaryToTextEncoding, type KeyObject } from 'node:crypto';

/** What is signed: parts one after the other; strings count as UTF-8. */
type Parts = readonly (string | Uint8Array)[];

export interface HmacBySecret {
  (secret: string, parts: Parts): Buffer;
  (secret: string, parts: Parts, encoding: BinaryToTextEncoding): string;
}

const MAX_KEYS = 1_000;

/**
 * HMAC-SHA256. Keys are made once a secret and remembered, up to so many: a key that is bytes costs Node.js 24 more than the
 * whole signature of a usual body.
 * @param keyOf the bytes that are the key; a secret's own as UTF-8, unless it says otherwise
 */
export function createHmacBySecret(
  keyOf: (secret: string) => Buffer = (secret) => Buffer.from(secret),
): HmacBySecret {
  const keys = new Map<string, KeyObject>();

  function known(secret: string): KeyObject {
    let key = keys.get(secret);
    if (key) return key;
    key = createSecretKey(keyOf(secret));
    if (keys.size >= MAX_KEYS) keys.clear();
    keys.set(secret, key);
    return key;
  }

  function hmac(secret: string, parts: Parts): Buffer;
  function hmac(secret: string, parts: Parts, encoding: BinaryToTextEncoding): string;
  function hmac(secret: string, parts: Parts, encoding?: BinaryToTextEncoding): Buffer | string {
    const mac = createHmac('sha256', known(secret));
    for (const part of parts) mac.update(part);
    return encoding ? mac.digest(encoding) : mac.digest();
  }
  return hmac;
}

/** With the secret as it is. */
export const hmac = createHmacBySecret();
