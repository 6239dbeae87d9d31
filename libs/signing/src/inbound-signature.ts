import { timingSafeEqual } from 'node:crypto';
import { hmac } from './hmac.ts';

/**
 * Returns the value of `X-SvcForms-Signature-256`: the HMAC-SHA256 of the raw body, in hex.
 * docs/reference/inbound.md#request-signing
 */
export function signInbound(rawBody: string | Uint8Array, secret: string): string {
  return hmac(secret, [rawBody], 'hex');
}

/** The largest difference between the timestamp of a request and the current time. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature of a request. Returns false for a missing, repeated or malformed header.
 * @param options.header the raw value; a `sha256=` prefix, upper case and surrounding white space
 * are accepted
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
 * Verifies the signature of a request to an endpoint with `requireTimestamp`. It covers the
 * timestamp, a dot and the raw body. The timestamp must be at most 300 seconds from now; it is
 * checked last, so that only a holder of the secret learns whether it is.
 * docs/reference/inbound.md#signed-timestamp
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
