import { parseUrl } from '@svcforms/primitives';
const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** Characters that hide what a name says: controls, marks of direction, and invisible ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A failed registration, as RFC 7591 defines it. */
export interface RegistrationError {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  error_description: string;
}

/**
 * Reads the body of a registration (RFC 7591). What we don't support is replaced, as the standard
 * allows: every client is public and uses PKCE. Redirect URIs are https, or http on the user's own
 * computer; others are left out or refused. docs/reference/mcp.md#registration
 */
export function readRegistration(text: string): { metadata: object } | RegistrationError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return {
      error: 'invalid_client_metadata',
      error_description: 'Send the registration as a JSON object',
    };
  }
  const { redirect_uris: uris, client_name: name } = body as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    return {
      error: 'invalid_redirect_uri',
      error_description: `redirect_uris must have 1 to ${MAX_REDIRECT_URIS} entries`,
    };
  }
  // Cursor sends one beside others that we support. RFC 7591 lets us leave it out.
  const supported = uris.filter((uri) => !hasPrivateScheme(uri));
  if (supported.length === 0 || !supported.every(isRedirectUri)) {
    return {
      error: 'invalid_redirect_uri',
      error_description:
        'Each redirect URI must begin with https:// and a host other than localhost, 127.0.0.1 and [::1], or with http:// and one of these, and have no login and no fragment',
    };
  }
  const shown = typeof name === 'string' ? shownName(name) : '';
  return {
    metadata: {
      client_name: shown || redirectHost(String(supported[0])),
      redirect_uris: [...new Set(supported)],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  };
}

function shownName(name: string): string {
  const visible = name.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
  return Array.from(visible).slice(0, MAX_NAME_LENGTH).join('');
}

/**
 * Whether it has a private-use scheme, such as `cursor://…`, which any program on a computer can
 * claim. ADR 0076
 */
function hasPrivateScheme(uri: unknown): boolean {
  const url = typeof uri === 'string' ? parseUrl(uri) : null;
  if (!url || url.protocol === 'https:' || url.protocol === 'http:') return false;
  // `localhost:8787` without a scheme looks like one that is called localhost.
  return url.protocol.includes('.') || url.href.startsWith(`${url.protocol}//`);
}

function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH) return false;
  const url = parseUrl(uri);
  if (!url) return false;
  const { protocol, hostname, hash, username, password } = url;
  if (hash !== '' || uri.includes('#') || username !== '' || password !== '') return false;
  const isLoopback = LOOPBACK_HOSTS.includes(hostname);
  return protocol === 'https:' ? !isLoopback : protocol === 'http:' && isLoopback;
}

/** The host that gets the authorization; `localhost` for a program on the user's own computer. */
export function redirectHost(uri: string): string {
  return isOwnComputer(uri) ? 'localhost' : new URL(uri).host;
}

/** Whether the redirect URI belongs to a program on the user's own computer. */
export const isOwnComputer = (uri: string): boolean => LOOPBACK_HOSTS.includes(new URL(uri).hostname);
