/** The token that a request presents, and whether a `token` of its body is that credential rather than a value. */
export interface PresentedToken {
  token: string;
  isInBody: boolean;
}

/**
 * The `Authorization` header's token, else the `token` of the body. A body that repeats the header's token holds the credential
 * too: it must not be stored. spec: webhooks-tasks-inbound, Authentication 2
 */
export function presentedToken(authorization: string | undefined, body: unknown): PresentedToken | undefined {
  const inBody = typeof body === 'object' && body !== null ? (body as { token?: unknown }).token : undefined;
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (bearer) return { token: bearer, isInBody: inBody === bearer };
  return typeof inBody === 'string' ? { token: inBody, isInBody: true } : undefined;
}
