import { timingSafeEqual } from 'node:crypto';
import { hmac } from './hmac.ts';

/**
 * Returns the value of `Svc-Signature`: `t=<unix>,v1=<hex>`, one `v1` per secret.
 * docs/reference/webhooks.md#svc-signature
 * @param options.secrets newest first; the whole string is the HMAC key, including a `whsec_`
 * prefix
 * @param options.timestamp Unix seconds, new for each attempt
 * @param options.body exactly the bytes that are sent
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

type SvcVerdict =
  | { ok: true; timestamp: number }
  | {
      ok: false;
      code:
        /** The header is missing or has no `v1`, no `t`, or several. */
        | 'ILL_FORMED'
        /** No `v1` is the signature of this body with one of the secrets. */
        | 'NO_MATCH'
        | 'TOO_OLD'
        | 'TOO_NEW';
    };

/**
 * Verifies `Svc-Signature`, as a webhook endpoint does. The age is checked last, so that only a
 * holder of the secret learns it.
 * @param options.body the raw request body, before parsing
 * @param options.secrets all valid secrets; one match is enough
 * @param options.now Unix seconds
 * @param options.toleranceSeconds the largest difference between `t` and `now`
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
  for (const signature of parsed.signatures) {
    for (const each of expected) matches += Number(timingSafeEqual(signature, each));
  }
  if (matches === 0) return { ok: false, code: 'NO_MATCH' };

  const timestamp = Number(parsed.t);
  if (timestamp < now - toleranceSeconds) return { ok: false, code: 'TOO_OLD' };
  if (timestamp > now + toleranceSeconds) return { ok: false, code: 'TOO_NEW' };
  return { ok: true, timestamp };
}

/** Skips elements of other schemes, so that a future `v2` doesn't break verifiers. */
function parseHeader(header: string): { t: string; signatures: Buffer[] } | null {
  const elements = header.split(',').map((element) => element.trim());
  const times = elements.filter((element) => element.startsWith('t='));
  const signatures = elements.filter((element) => /^v1=[0-9a-f]{64}$/i.test(element));
  const t = times[0]?.slice('t='.length) ?? '';
  if (times.length !== 1 || !/^\d{1,15}$/.test(t) || signatures.length === 0) return null;
  return { t, signatures: signatures.map((element) => Buffer.from(element.slice('v1='.length), 'hex')) };
}
