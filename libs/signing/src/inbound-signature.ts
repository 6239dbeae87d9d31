import { timingSafeEqual } from 'node:crypto';
import { hmac } from './hmac.ts';

/** HMAC-SHA256 of the raw body in hex: what a sender puts into `X-SvcForms-Signature-256`. */
export function signInbound(rawBody: string | Uint8Array, secret: string): string {
  return hmac(secret, [rawBody], 'hex');
}

/**
 * Whether the header holds the signature of exactly these bytes. A missing, repeated or ill-formed header is a
 * mismatch, never an exception. spec: webhooks-tasks-inbound, Authentication 3.
 * @param options.header the value as it came; `sha256=` before the hex, any letter case, and white space around it are fine
 */
export function verifyInboundSignature(options: {
  header: string | readonly string[] | undefined;
  rawBody: string | Uint8Array;
  secret: string;
}): boolean {
  const { header, rawBody, secret } = options;
  if (typeof header !== 'string') return false;
  const hex = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(header.trim())?.[1];
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), hmac(secret, [rawBody]));
}
