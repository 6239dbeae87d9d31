import { SignatureVerificationError } from './errors.ts';
import { hexOf } from './secrets.ts';
import type { WebhookEvent } from './types.ts';

/** A raw body. */
export type RawBody = string | ArrayBuffer | Uint8Array;
/**
 * The headers of a request: `Headers`, the object of Node.js, or pairs. Names in any letter case.
 */
export type HeadersLike =
  Iterable<readonly [string, string]> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options of `verifyWebhook`. */
export interface VerifyOptions {
  /** The maximum difference in seconds between the signed time and now. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current Unix time in seconds, for tests. */
  now?: number | undefined;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
const ED25519 = { name: 'Ed25519' } as const;
const SIGNATURES = {
  v1: /^v1,([A-Za-z0-9+/]{43}=)$/,
  v1a: /^v1a,([A-Za-z0-9+/]{86}==)$/,
};
const ENCODED_SECRET =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))$/;
const PUBLIC_KEY = /^whpk_([A-Za-z0-9+/]{43}=)$/;
const DIGITS = /^[0-9]{1,15}$/;
const HEX_SIGNATURE = /^[0-9a-fA-F]{64}$/;

/** A request with a valid, recent signature. */
export class VerifiedWebhook {
  constructor(
    /** The raw body. */
    readonly body: Uint8Array,
    /** When the server signed this attempt. Each retry has a new signature. */
    readonly signedAt: Date,
    /**
     * The signed id of the event, the same for every retry. Skip events whose id you have
     * processed. Null if `verifyWebhook` got only the value of `Svc-Signature`, which doesn't cover
     * the id.
     */
    readonly eventId: string | null,
    /**
     * How many webhook deliveries in a row led to this one, from `Svc-Hops`. If you submit a form
     * because of it, pass it to `submissions.create` or `inbound.send`. The signature doesn't cover
     * it. 0 if `verifyWebhook` got only the value of `Svc-Signature`.
     */
    readonly hops = 0,
  ) {}

  /** Parses the body as JSON. */
  json(): unknown {
    return JSON.parse(new TextDecoder().decode(this.body));
  }

  /**
   * The body as an event. Task callbacks have the same format. Use `json` for a webhook with a
   * payload format of its own.
   */
  get event(): WebhookEvent {
    return this.json() as WebhookEvent;
  }
}

/**
 * Verifies the signature of a webhook or of a task's callback.
 *
 * It checks the age last, so that only a holder of the secret learns whether a timestamp is too
 * old. It compares signatures in constant time.
 *
 * `body`: the raw body of the request, before parsing. `headers`: all headers of the request; the
 * function checks `webhook-signature`, which covers the event id, and sets `eventId` and `hops` of
 * the result. Alternatively only the value of `Svc-Signature`, which covers the body and the time.
 * The function refuses null (a missing header) like an invalid signature. `secret`: the webhook's
 * signing secret or its public key (`whpk_…`), or several of them, such as all valid secrets during
 * a rotation. One must match. A public key needs all headers.
 *
 * @throws SignatureVerificationError if the signature is invalid; `code` is the reason. Discard the
 * request.
 * @throws TypeError if a secret is missing or empty, a public key is malformed or used with
 * `Svc-Signature` alone, or the tolerance is negative.
 *
 * @example
 * const verified = await verifyWebhook(await request.arrayBuffer(), request.headers, secret);
 * if (!alreadyProcessed(verified.eventId)) process(verified.event);
 */
export async function verifyWebhook(
  body: RawBody,
  headers: HeadersLike | string | null | undefined,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const all = listOf(secret);
  const secrets = all.filter((one) => !isPublicKey(one));
  const publicKeys = all.filter(isPublicKey).map(publicKey);
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be 0 or more');
  const raw = bytesOf(body);
  const isAlone = headers === null || headers === undefined || typeof headers === 'string';
  if (isAlone && publicKeys.length > 0)
    throw new TypeError('a public key verifies webhook-signature: pass all headers of the request');
  const name = isAlone ? 'Svc-Signature' : 'webhook-signature';
  const { eventId, time, signatures, signedBy, hops } = isAlone
    ? parseOwn(headers ?? '')
    : parseStandard(headers);
  const prefix = eventId === null ? `${time}.` : `${eventId}.${time}.`;
  const signed = joined(bytesOf(prefix), raw);
  const isMatch =
    (await isSigned(ED25519, publicKeys, signedBy, signed)) ||
    (await isSigned(HMAC, secrets.map(isAlone ? bytesOf : standardKey), signatures, signed));
  if (!isMatch)
    throw new SignatureVerificationError(
      'no_match',
      `${name} doesn't match this body and this secret; pass the raw bytes of the body`,
    );
  const signedAt = Number(time);
  // Negated, so that a time that isn't a number is refused.
  if (!(signedAt >= Math.floor(now) - toleranceSeconds))
    throw new SignatureVerificationError('too_old', `${name} is more than ${toleranceSeconds} seconds old`);
  if (signedAt > Math.floor(now) + toleranceSeconds)
    throw new SignatureVerificationError(
      'too_new',
      `${name} is more than ${toleranceSeconds} seconds in the future; check this machine's clock`,
    );
  return new VerifiedWebhook(raw, new Date(signedAt * 1000), eventId, hops);
}

/**
 * Returns the value of `X-SvcForms-Signature-256` for an inbound submission: the hex HMAC-SHA256 of
 * the body. Use it if you don't send with `inbound.send`, which signs automatically. `timestamp`:
 * Unix time, for an endpoint with `requireTimestamp`. The signature covers it; send it in
 * `X-SvcForms-Timestamp`.
 */
export async function signInbound(
  body: RawBody,
  secret: string,
  { timestamp }: { timestamp?: number | undefined } = {},
): Promise<string> {
  const signed = joined(bytesOf(timestamp === undefined ? '' : `${timestamp}.`), bytesOf(body));
  const key = await crypto.subtle.importKey('raw', bytesOf(listOf(secret)[0] ?? ''), HMAC, false, ['sign']);
  return hexOf(new Uint8Array(await crypto.subtle.sign(HMAC, key, signed)));
}

/**
 * Verifies `X-SvcForms-Signature-256` like the server: with or without the prefix `sha256=`, in any
 * letter case.
 * @throws SignatureVerificationError if the signature is missing or malformed, or doesn't match the
 * body and the secret.
 */
export async function verifyInboundSignature(
  body: RawBody,
  header: string | null | undefined,
  secret: string,
): Promise<true> {
  const value = (header ?? '').trim().replace(/^sha256=/i, '');
  const [key = ''] = listOf(secret);
  if (!HEX_SIGNATURE.test(value))
    throw new SignatureVerificationError(
      'ill_formed',
      'X-SvcForms-Signature-256 must contain 64 hex digits, with or without the prefix sha256=',
    );
  if (!(await isSigned(HMAC, [bytesOf(key)], [fromHex(value)], bytesOf(body))))
    throw new SignatureVerificationError(
      'no_match',
      "X-SvcForms-Signature-256 doesn't match this body and this secret",
    );
  return true;
}

interface Parsed {
  eventId: string | null;
  time: string;
  signatures: Bytes[];
  /** Public-key signatures. */
  signedBy: Bytes[];
  hops: number;
}

/** Skips the elements of other schemes, so that a later `v2` doesn't break receivers. */
function parseOwn(header: string): Parsed {
  const elements = header.split(',').map((element) => element.trim());
  const times = elements.filter((element) => element.startsWith('t=')).map((element) => element.slice(2));
  const signatures = elements
    .filter((element) => element.startsWith('v1=') && HEX_SIGNATURE.test(element.slice(3)))
    .map((element) => fromHex(element.slice(3)));
  const [time = ''] = times;
  if (times.length !== 1 || !DIGITS.test(time) || signatures.length === 0)
    throw new SignatureVerificationError(
      'ill_formed',
      "Svc-Signature is missing, or doesn't have the form t=<Unix time>,v1=<64 hex digits>",
    );
  return { eventId: null, time, signatures, signedBy: [], hops: 0 };
}

function parseStandard(headers: HeadersLike): Parsed {
  const pairs: readonly (readonly [string, string | readonly string[] | undefined])[] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  const valuesOf = (wanted: string): string[] =>
    pairs.flatMap(([name, value = []]) => (name.toLowerCase() === wanted ? value : []));
  const single = (wanted: string): string => {
    const values = valuesOf(wanted);
    return values.length === 1 ? (values[0] ?? '').trim() : '';
  };
  const eventId = single('webhook-id');
  const time = single('webhook-timestamp');
  const elements = single('webhook-signature').split(/\s+/);
  const decoded = (pattern: RegExp): Bytes[] =>
    elements.flatMap((element) => {
      const encoded = pattern.exec(element)?.[1];
      return encoded === undefined ? [] : [fromBase64(encoded)];
    });
  const signatures = decoded(SIGNATURES.v1);
  const signedBy = decoded(SIGNATURES.v1a);
  if (eventId === '' || !DIGITS.test(time) || signatures.length + signedBy.length === 0)
    throw new SignatureVerificationError(
      'ill_formed',
      'webhook-id, webhook-timestamp or webhook-signature is missing, repeated, or malformed',
    );
  // An intermediary may have added a value. The server, too, takes the largest one.
  const hops = valuesOf('svc-hops').join().split(',');
  const counts = hops.filter((value) => DIGITS.test(value.trim())).map(Number);
  return { eventId, time, signatures, signedBy, hops: Math.max(0, ...counts) };
}

/** Everybody knows a public key, so it must never be the key of an HMAC, even a malformed one. */
const isPublicKey = (one: string): boolean => one.startsWith('whpk_');

function publicKey(text: string): Bytes {
  const encoded = PUBLIC_KEY.exec(text)?.[1];
  if (encoded === undefined) throw new TypeError('a public key must be whpk_ and 32 bytes in base64');
  return fromBase64(encoded);
}

/** Anybody can sign with an empty secret. */
function listOf(secret: string | readonly string[]): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || !secrets.every((one) => typeof one === 'string' && one !== ''))
    throw new TypeError('secret must be a non-empty string, or a non-empty list of them');
  return secrets as readonly string[];
}

/**
 * Web Crypto compares in constant time. All pairs are compared, so the time doesn't tell which
 * secret matches.
 */
async function isSigned(
  algorithm: typeof HMAC | typeof ED25519,
  keys: readonly Bytes[],
  signatures: readonly Bytes[],
  signed: Bytes,
): Promise<boolean> {
  let matches = 0;
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures)
      if (await crypto.subtle.verify(algorithm, key, signature, signed)) matches += 1;
  }
  return matches > 0;
}

/** Decodes the key after `whsec_`. Any other secret is the key itself. */
function standardKey(secret: string): Bytes {
  const encoded = ENCODED_SECRET.exec(secret)?.[1];
  return encoded === undefined ? bytesOf(secret) : fromBase64(encoded);
}

/** Web Crypto takes no shared memory. */
type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(body: RawBody): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body) as Bytes;
  return new Uint8Array(body);
}

function joined(first: Bytes, second: Bytes): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
