import { StringDecoder } from 'node:string_decoder';

/**
 * Bytes of unknown origin as text that takes at most `maxBytes` in UTF-8: what isn't UTF-8 becomes U+FFFD (three bytes
 * each), and a character that was cut in two at the end is left out.
 */
export function lossyText(bytes: Uint8Array, maxBytes: number): string {
  const text = decode(bytes);
  return Buffer.byteLength(text) <= maxBytes ? text : decode(Buffer.from(text).subarray(0, maxBytes));
}

function decode(bytes: Uint8Array): string {
  // Unlike `end`, `write` holds an incomplete last character back.
  return new StringDecoder('utf8').write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
