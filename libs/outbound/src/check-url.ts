import { hasHost, parseUrl } from '@svcforms/primitives';
import { isIPv4 } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { rulesOf, type Policy, type Rules } from './policy.ts';

type RefusalCode =
  | 'INVALID_URL'
  | 'SCHEME_NOT_ALLOWED'
  | 'PORT_NOT_ALLOWED'
  | 'CREDENTIALS_IN_URL'
  | 'URL_TOO_LONG'
  | 'OWN_ORIGIN'
  | 'NAME_NOT_PUBLIC'
  | 'ADDRESS_NOT_PUBLIC';

/** Why a URL is refused, with a message for the user that says what is accepted. */
export interface Refusal {
  code: RefusalCode;
  message: string;
}

/** A URL that passed all checks that don't need its addresses. */
export interface Target {
  url: URL;
  /**
   * If set, the URL is refused for this reason unless all addresses of its host are in
   * `allowedTargets`.
   */
  refusalUnlessAllowed: Refusal | null;
}

export type UrlCheck = { ok: true; target: Target } | { ok: false; refusal: Refusal };

const MAX_URL_LENGTH = 2048;
/**
 * Lower ports belong to mail, remote login and similar services; none of them receives webhooks.
 */
const FIRST_UNPRIVILEGED_PORT = 1024;
const NOT_A_URL = refused(
  'INVALID_URL',
  'this is not a valid URL: use one such as https://example.com/hooks',
);

/**
 * Checks the parts of a URL: scheme, port, credentials, length, then the host as `new URL()` parses
 * it, so that `127.1`, `0x7f000001` and `2130706433` all count as `127.0.0.1`. It makes no lookup;
 * `createGuard` does. docs/reference/webhooks.md#endpoint-url-rules
 * @throws PolicyError for a policy that `parsePolicy` rejects
 */
export function checkUrl(url: string, policy: Policy): UrlCheck {
  return checkUrlByRules(url, rulesOf(policy));
}

export function checkUrlByRules(text: string, rules: Rules): UrlCheck {
  const url = parseUrl(text);
  if (!url) return NOT_A_URL;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    return refused('SCHEME_NOT_ALLOWED', 'the URL must start with https://');
  }
  if (!hasHost(url)) return NOT_A_URL;
  if (rules.isOwnOrigin(url)) {
    return refused(
      'OWN_ORIGIN',
      `${url.host} is this installation: use the URL of another system, otherwise forms could trigger each other forever`,
    );
  }

  const ip = literalOf(url);
  const port = portRefusal(url);
  // Whether a name is in the allowed ranges is known after its lookup, for a literal address now.
  const mayBeAllowed = ip === null ? rules.hasAllowed : rules.isAllowed(ip);
  if (port && !mayBeAllowed) return { ok: false, refusal: port };
  if (url.username !== '' || url.password !== '') {
    return refused(
      'CREDENTIALS_IN_URL',
      'the URL must not contain a user name or password: verify the signature of the requests instead',
    );
  }
  if (text.length > MAX_URL_LENGTH || url.href.length > MAX_URL_LENGTH) {
    return refused('URL_TOO_LONG', `the URL must have at most ${MAX_URL_LENGTH} characters`);
  }

  if (ip !== null) {
    if (!isPublicAddress(ip) && !mayBeAllowed) return { ok: false, refusal: addressRefusal(ip) };
    return { ok: true, target: { url, refusalUnlessAllowed: null } };
  }
  const name = nameRefusal(url);
  if (name && !(name.mayBeAllowed && mayBeAllowed)) return { ok: false, refusal: name.refusal };
  return { ok: true, target: { url, refusalUnlessAllowed: port ?? name?.refusal ?? null } };
}

/** Returns the IP address in the URL, without brackets; `null` if the host is a name. */
export function literalOf(url: URL): string | null {
  if (url.hostname.startsWith('[')) return url.hostname.slice(1, -1);
  return isIPv4(url.hostname) ? url.hostname : null;
}

/** Returns the host name without a trailing dot. */
export function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

export function addressRefusal(host: string): Refusal {
  return {
    code: 'ADDRESS_NOT_PUBLIC',
    message: `${host} does not resolve to a public address: use a host that is reachable from the internet`,
  };
}

function portRefusal(url: URL): Refusal | null {
  const standard = url.protocol === 'http:' ? [80, 443] : [443];
  const port = url.port === '' ? standard[0] : Number(url.port);
  if (port === undefined || port >= FIRST_UNPRIVILEGED_PORT || standard.includes(port)) return null;
  const message = `port ${port} is not allowed: use ${standard.join(', ')} or a port of at least ${FIRST_UNPRIVILEGED_PORT}`;
  return { code: 'PORT_NOT_ALLOWED', message };
}

function nameRefusal(url: URL): { refusal: Refusal; mayBeAllowed: boolean } | null {
  const name = nameOf(url);
  const isSingleLabel = !name.includes('.');
  if (!isSingleLabel && !/\.(localhost|local|internal)$/.test(name)) return null;
  const message = `"${name}" is a private host name: use a public one, such as hooks.example.com`;
  return { refusal: { code: 'NAME_NOT_PUBLIC', message }, mayBeAllowed: isSingleLabel };
}

function refused(code: RefusalCode, message: string): UrlCheck {
  return { ok: false, refusal: { code, message } };
}
