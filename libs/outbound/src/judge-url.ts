import { isIPv4 } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { rulesOf, type Policy, type Rules } from './policy.ts';

export type RefusalCode =
  | 'INVALID_URL'
  | 'SCHEME_NOT_ALLOWED'
  | 'PORT_NOT_ALLOWED'
  | 'CREDENTIALS_IN_URL'
  | 'URL_TOO_LONG'
  | 'OWN_ORIGIN'
  | 'NAME_NOT_PUBLIC'
  | 'ADDRESS_NOT_PUBLIC';

/** Why a target may not be called: for people, saying what would be accepted. */
export interface Refusal {
  code: RefusalCode;
  message: string;
}

/** A URL that may be called, as far as it can be told without asking for its addresses. */
export interface Target {
  url: URL;
  /** Set when the host must turn out to lie wholly inside `allowedTargets`; otherwise this is the answer. */
  unlessAllowed: Refusal | null;
}

export type UrlVerdict = { ok: true; target: Target } | { ok: false; refusal: Refusal };

export const MAX_URL_LENGTH = 2048;
/** Below lie the ports of mail, of remote logins and the like: none of them takes webhooks. */
const FIRST_FREE_PORT = 1024;
const NOT_A_URL = refused('INVALID_URL', 'this is not a URL: give one such as https://example.com/hooks');

/**
 * Judges a URL by what it says: scheme, port, credentials, length, then its host, as `new URL()` understood it (so
 * that `127.1`, `0x7f000001` and `2130706433` are all `127.0.0.1`). Nothing is looked up: see `createGuard` for that.
 * @throws PolicyError for a policy that `parsePolicy` would refuse
 */
export function judgeUrl(url: string, policy: Policy): UrlVerdict {
  return judgeByRules(url, rulesOf(policy));
}

export function judgeByRules(text: string, rules: Rules): UrlVerdict {
  if (!URL.canParse(text)) return NOT_A_URL;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    return refused('SCHEME_NOT_ALLOWED', 'the URL must begin with https://');
  }
  // `new URL()` lets empty labels pass, and with them `127.0.0.1..` as a name.
  if (nameOf(url).split('.').includes('')) return NOT_A_URL;
  if (rules.isOwnOrigin(url)) {
    return refused(
      'OWN_ORIGIN',
      `${url.host} is this installation: a webhook must lead to another system, or forms would feed each other forever`,
    );
  }

  const ip = literalOf(url);
  const port = portRefusal(url);
  // A name may yet turn out to lie inside the allowed ranges; a literal address says so now.
  const mayBeAllowed = ip === null ? rules.hasAllowed : rules.isAllowed(ip);
  if (port && !mayBeAllowed) return { ok: false, refusal: port };
  if (url.username !== '' || url.password !== '') {
    return refused(
      'CREDENTIALS_IN_URL',
      'the URL must not hold a user name or password: listeners tell our requests by their signature',
    );
  }
  if (text.length > MAX_URL_LENGTH || url.href.length > MAX_URL_LENGTH) {
    return refused('URL_TOO_LONG', `the URL must have at most ${MAX_URL_LENGTH} characters`);
  }

  if (ip !== null) {
    if (!isPublicAddress(ip) && !mayBeAllowed) return { ok: false, refusal: addressRefusal(ip) };
    return { ok: true, target: { url, unlessAllowed: null } };
  }
  const name = nameRefusal(url);
  if (name && !(name.mayBeAllowed && mayBeAllowed)) return { ok: false, refusal: name.refusal };
  return { ok: true, target: { url, unlessAllowed: port ?? name?.refusal ?? null } };
}

/** The IP address that stands in the URL instead of a name, without brackets. */
export function literalOf(url: URL): string | null {
  if (url.hostname.startsWith('[')) return url.hostname.slice(1, -1);
  return isIPv4(url.hostname) ? url.hostname : null;
}

/** The host name without the dot that may end it. */
export function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

export function addressRefusal(host: string): Refusal {
  return {
    code: 'ADDRESS_NOT_PUBLIC',
    message: `${host} does not lead to a public address: use a host that the whole internet can reach`,
  };
}

function portRefusal(url: URL): Refusal | null {
  const usual = url.protocol === 'http:' ? [80, 443] : [443];
  const port = url.port === '' ? usual[0] : Number(url.port);
  if (port === undefined || port >= FIRST_FREE_PORT || usual.includes(port)) return null;
  const message = `port ${port} is not allowed: use ${usual.join(', ')} or a port from ${FIRST_FREE_PORT} on`;
  return { code: 'PORT_NOT_ALLOWED', message };
}

function nameRefusal(url: URL): { refusal: Refusal; mayBeAllowed: boolean } | null {
  const name = nameOf(url);
  const isSingleLabel = !name.includes('.');
  if (!isSingleLabel && !/\.(localhost|local|internal)$/.test(name)) return null;
  const message = `"${name}" is a name of a private network: use a public host name, such as hooks.example.com`;
  return { refusal: { code: 'NAME_NOT_PUBLIC', message }, mayBeAllowed: isSingleLabel };
}

function refused(code: RefusalCode, message: string): UrlVerdict {
  return { ok: false, refusal: { code, message } };
}
