import { timingSafeEqual } from 'node:crypto';
import { hmac } from './hmac.ts';

/**
 * HMAC-SHA256 in hex: what a sender puts into `X-SvcForms-Signature-256`. Of the raw body, or with `requireTimestamp` of the
 * timestamp, a dot and the raw body.
 */
export function signInbound(rawBody: string | Uint8Array, secret: string): string {
  return hmac(secret, [rawBody], 'hex');
}

/** How far the timestamp of a request may be from now, either way. */
const TOLERANCE_SECONDS = 300;

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
  return matches(header, () => hmac(secret, [rawBody]));
}

/**
 * The same for an endpoint with `requireTimestamp`: the signature covers the timestamp, which must be at most 300 seconds from
 * now. The age is judged last, so that only a holder of the secret learns of it.
 * @param options.timestamp the value of `X-SvcForms-Timestamp`; unix seconds, digits only
 * @param options.now unix seconds
 */
export function verifyTimestampedInbound(options: {
  header: string | readonly string[] | undefined;
  timestamp: string | readonly string[] | undefined;
  rawBody: string | Uint8Array;
  secret: string;
  now: number;
}): boolean {
  const { header, timestamp, rawBody, secret, now } = options;
  if (typeof timestamp !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false;
  return (
    matches(header, () => hmac(secret, [`${timestamp}.`, rawBody])) &&
    Math.abs(Number(timestamp) - Math.floor(now)) <= TOLERANCE_SECONDS
  );
}

function matches(header: string | readonly string[] | undefined, expected: () => Buffer): boolean {
  if (typeof header !== 'string') return false;
  const hex = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(header.trim())?.[1];
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected());
}
