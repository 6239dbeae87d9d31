/**
 * The token of a request, and whether the `token` in its body is that credential and not a value.
 */
interface PresentedToken {
  token: string;
  isInBody: boolean;
}

/**
 * Reads the token from the `Authorization` header, or else from the body. A body that repeats the
 * header's token contains the credential too, which must not be stored.
 * docs/reference/inbound.md#token
 */
export function presentedToken(authorization: string | undefined, body: unknown): PresentedToken | undefined {
  const inBody = typeof body === 'object' && body !== null ? (body as { token?: unknown }).token : undefined;
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (bearer) return { token: bearer, isInBody: inBody === bearer };
  return typeof inBody === 'string' ? { token: inBody, isInBody: true } : undefined;
}
