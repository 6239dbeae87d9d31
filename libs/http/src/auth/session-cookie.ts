/**
 * The name of the cookie that holds a session token. On https, the `__Host-` prefix makes browsers
 * reject a cookie that another host of the domain or an unencrypted page tries to set; the plain
 * name isn't accepted there.
 */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-svc_session' : 'svc_session';
}

/**
 * The `Set-Cookie` header of a session. Scripts can't read the cookie, other sites can't send it
 * (except by links to us), and with an https base URL browsers send it over https only.
 * `maxAgeSeconds` 0 deletes it. docs/reference/authentication.md#sessions
 */
export function sessionCookie(token: string, options: { baseUrl: string; maxAgeSeconds: number }): string {
  const secure = options.baseUrl.startsWith('https:') ? '; Secure' : '';
  const name = sessionCookieName(options.baseUrl);
  return `${name}=${token}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
