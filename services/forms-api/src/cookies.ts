import type { IncomingHttpHeaders } from 'node:http';

/** The values of the cookies with this name: browsers may send several, of different paths. */
export function cookieValues({ cookie = '' }: IncomingHttpHeaders, name: string): string[] {
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
