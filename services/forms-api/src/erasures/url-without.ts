import { parseUrl } from '@svcforms/primitives';
/**
 * Returns a URL for a report about a value: without query and fragment, which can identify a person
 * in other ways, and without the path if it contains the value. The origin identifies the
 * recipient.
 */
export function urlWithout(value: string, url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return '';
  const { origin, pathname } = parsed;
  if (pathname === '/') return origin;
  const isNamed = [pathname, decoded(pathname)].some((path) =>
    path.toLowerCase().includes(value.toLowerCase()),
  );
  return isNamed || pathname.includes(encodeURIComponent(value)) ? origin : origin + pathname;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '));
  } catch {
    return path;
  }
}
