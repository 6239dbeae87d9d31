import { StringDecoder } from 'node:string_decoder';

/**
 * Decodes bytes of unknown encoding as at most `maxBytes` of UTF-8. Invalid sequences become U+FFFD
 * (three bytes each), and an incomplete last character is dropped.
 */
export function lossyText(bytes: Uint8Array, maxBytes: number): string {
  const text = decode(bytes);
  return Buffer.byteLength(text) <= maxBytes ? text : decode(Buffer.from(text).subarray(0, maxBytes));
}

function decode(bytes: Uint8Array): string {
  // Unlike `end`, `write` omits an incomplete last character.
  return new StringDecoder('utf8').write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
