import { timingSafeEqual } from 'node:crypto';
import { hmac } from './hmac.ts';

/**
 * The header value `Svc-Signature`: `t=<unix>,v1=<hex>`, one `v1` for each secret.
 * spec: webhooks-tasks-inbound, Authentication 4.
 * @param options.secrets newest first; each is the HMAC key as a whole string, also a `whsec_` one
 * @param options.timestamp unix seconds; fresh for each attempt
 * @param options.body the bytes that are sent, exactly
 */
export function svcSignature(options: {
  secrets: readonly string[];
  timestamp: number;
  body: string | Uint8Array;
}): string {
  const { secrets, timestamp, body } = options;
  const signatures = secrets.map((secret) => `v1=${hmac(secret, [`${timestamp}.`, body], 'hex')}`);
  return [`t=${timestamp}`, ...signatures].join(',');
}

export type SvcVerdict =
  | { ok: true; timestamp: number }
  | {
      ok: false;
      code:
        /** Missing, no single `t`, or no `v1`. */
        | 'ILL_FORMED'
        /** No `v1` was made over this body with any of the secrets. */
        | 'NO_MATCH'
        | 'TOO_OLD'
        | 'TOO_NEW';
    };

/**
 * What a listener does with `Svc-Signature`. The age is judged last, so only a holder of the secret learns of it.
 * @param options.body the raw request body, before any parsing
 * @param options.secrets all that are valid now; one match is enough
 * @param options.now unix seconds
 * @param options.toleranceSeconds how far `t` may be from `now`, either way
 */
export function verifySvcSignature(options: {
  header: string | undefined;
  body: string | Uint8Array;
  secrets: readonly string[];
  now: number;
  toleranceSeconds?: number;
}): SvcVerdict {
  const { header, body, secrets, now, toleranceSeconds = 300 } = options;
  const parsed = parseHeader(header ?? '');
  if (!parsed) return { ok: false, code: 'ILL_FORMED' };

  const expected = secrets.map((secret) => hmac(secret, [`${parsed.t}.`, body]));
  let matches = 0;
  for (const given of parsed.signatures) {
    for (const wanted of expected) matches += Number(timingSafeEqual(given, wanted));
  }
  if (matches === 0) return { ok: false, code: 'NO_MATCH' };

  const timestamp = Number(parsed.t);
  if (timestamp < now - toleranceSeconds) return { ok: false, code: 'TOO_OLD' };
  if (timestamp > now + toleranceSeconds) return { ok: false, code: 'TOO_NEW' };
  return { ok: true, timestamp };
}

/** Elements of other schemes are skipped, so that a later `v2` breaks no verifier. */
function parseHeader(header: string): { t: string; signatures: Buffer[] } | null {
  const elements = header.split(',').map((element) => element.trim());
  const times = elements.filter((element) => element.startsWith('t='));
  const signatures = elements.filter((element) => /^v1=[0-9a-f]{64}$/i.test(element));
  const t = times[0]?.slice('t='.length) ?? '';
  if (times.length !== 1 || !/^\d{1,15}$/.test(t) || signatures.length === 0) return null;
  return { t, signatures: signatures.map((element) => Buffer.from(element.slice('v1='.length), 'hex')) };
}
