import { createHmac, createSecretKey, type BinaryToTextEncoding, type KeyObject } from 'node:crypto';

/** The signed bytes in parts; strings are encoded as UTF-8. */
type Parts = readonly (string | Uint8Array)[];

interface HmacBySecret {
  (secret: string, parts: Parts): Buffer;
  (secret: string, parts: Parts, encoding: BinaryToTextEncoding): string;
}

const MAX_KEYS = 1_000;

/**
 * Creates an HMAC-SHA256 function with a cache of key objects: with plain bytes as the key, Node.js
 * 24 spends more time on the key than on the signature of a typical body.
 * @param keyOf returns the key for a secret. Default: the secret as UTF-8
 */
export function createHmacBySecret(
  keyOf: (secret: string) => Buffer = (secret) => Buffer.from(secret),
): HmacBySecret {
  const keys = new Map<string, KeyObject>();

  function keyFor(secret: string): KeyObject {
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
    const mac = createHmac('sha256', keyFor(secret));
    for (const part of parts) mac.update(part);
    return encoding ? mac.digest(encoding) : mac.digest();
  }
  return hmac;
}

/** HMAC-SHA256 with the whole secret as the key. */
export const hmac = createHmacBySecret();
