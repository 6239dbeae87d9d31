/**
 * A URL as a report about that value may show it: without its query and fragment, which may name a person in other ways too, and
 * without its path where that holds the value. The origin is enough to know whom to ask.
 */
export function urlWithout(value: string, url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
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
