import { createHmac } from 'node:crypto';

/** HMAC-SHA256 over the parts, one after the other; strings count as UTF-8. */
export function hmac(key: string | Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
