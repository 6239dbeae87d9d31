import { createHmac, timingSafeEqual } from 'node:crypto';

/** Slack's own limit: an older request may be a replay. */
const MAX_AGE_SECONDS = 5 * 60;

interface SignedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they arrived. */
  rawBody: Buffer;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Whether Slack signed the request within the last five minutes: HMAC-SHA256 of `v0:TIMESTAMP:BODY`
 * with the signing secret. https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isSignedBySlack(signingSecret: string, { headers, rawBody, now }: SignedRequest): boolean {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers;
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const expected = createHmac('sha256', signingSecret)
    .update(`v0:${timestamp}:`)
    .update(rawBody)
    .digest('hex');
  const [given, wanted] = [Buffer.from(signature), Buffer.from(`v0=${expected}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
