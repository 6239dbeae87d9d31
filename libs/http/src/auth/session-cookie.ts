/**
 * The cookie that holds the token of a login. Where the product is reached by https, the prefix makes browsers refuse one that
 * another host of the domain, or a page without encryption, tries to set; the plain name isn't taken there.
 */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-svc_session' : 'svc_session';
}

/**
 * The `Set-Cookie` of a login: out of reach for scripts, not sent along from other sites (links to us excepted), and over
 * https only where the product is reached by it. `maxAgeSeconds` 0 ends it. contract: api.md §2
 */
export function sessionCookie(token: string, options: { baseUrl: string; maxAgeSeconds: number }): string {
  const secure = options.baseUrl.startsWith('https:') ? '; Secure' : '';
  const name = sessionCookieName(options.baseUrl);
  return `${name}=${token}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
