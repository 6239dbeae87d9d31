/** The cookie that holds the token of a login. */
export const SESSION_COOKIE = 'svc_session';

/**
 * The `Set-Cookie` of a login: out of reach for scripts, not sent along from other sites (links to us excepted), and over
 * https only where the product is reached by it. `maxAgeSeconds` 0 ends it. contract: api.md §2
 */
export function sessionCookie(token: string, options: { baseUrl: string; maxAgeSeconds: number }): string {
  const secure = options.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
