import { hasHost, parseUrl } from '@svcforms/primitives';
import { z } from 'zod';

/**
 * A URL with a host and one of these schemes. White space is refused: the parser drops it, and
 * string operations don't.
 */
export function url(...schemes: string[]) {
  const hasScheme = (text: string) => schemes.some((scheme) => text.startsWith(`${scheme}://`));
  return z
    .string()
    .refine(
      (text) => hasScheme(text) && !/[\s\p{Cc}]/u.test(text),
      `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    )
    .refine(
      (text) => !!parseUrl(text)?.host,
      'must be a URL with a host; special characters of a user or password must be percent-encoded',
    )
    .refine((text) => {
      const parsed = parseUrl(text);
      // What isn't a URL is reported by the rule above.
      return !parsed || (hasHost(parsed) && parsed.port !== '0');
    }, 'must name one host by its name or address, without a wildcard, and no port 0');
}

/** A URL as `url` takes it, without a login, query or fragment. */
export function plainUrl(...schemes: string[]) {
  return url(...schemes).refine((text) => {
    const parsed = parseUrl(text);
    // Reported by another rule.
    return !parsed || !(parsed.username || parsed.password || /[?#]/.test(text));
  }, 'must have no query, fragment or login');
}
