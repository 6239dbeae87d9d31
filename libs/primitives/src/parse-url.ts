/**
 * The parser normalizes hosts in time that grows with the square of their length: a megabyte of
 * accents takes a minute. No host has as many characters as this, and hardly any with a user name
 * and password. The host may come first, after a scheme, or after two slashes. `isWebUrl` in
 * libs/contracts has the same limit.
 */
const LONG_AUTHORITY = /^[^/\\?#]{2001}|^[^/\\?#]+[/\\]+[^/\\?#]{2001}|^[/\\]{2,}[^/\\?#]{2001}/;

/**
 * Returns the URL in a text; `null` if it isn't one. `URL.canParse` of Node.js 20 doesn't do: after
 * some thousand calls, V8 passes it the bytes of a Latin-1 string as UTF-8, and it refuses every
 * name with an umlaut.
 */
export function parseUrl(text: string, base?: string): URL | null {
  // The parser drops tabs and line breaks.
  if (LONG_AUTHORITY.test(text.replace(/[\t\n\r]/g, ''))) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * Whether the host of a URL is an address or a name. The parser also takes wildcards, other symbols
 * and empty labels. Names in URLs of other schemes than http and https may be percent-encoded.
 */
export function hasHost({ hostname }: URL): boolean {
  // A name may end with a dot.
  const labels = hostname.replace(/\.$/, '').split('.');
  return hostname.startsWith('[') || labels.every((label) => /^[\w%-]+$/.test(label));
}
