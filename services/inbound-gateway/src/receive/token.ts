import { hashToken } from '@svcforms/signing';
import { timingSafeEqual } from 'node:crypto';

/**
 * The token that a request presents: the `Authorization` header's, else the `token` of its body.
 * spec: webhooks-tasks-inbound, Authentication 2
 */
export function presentedToken(authorization: string | undefined, body: unknown): string | undefined {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (bearer) return bearer;
  const token = typeof body === 'object' && body !== null ? (body as { token?: unknown }).token : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** Compares by hash: how long it takes says nothing about the token. */
export function tokenMatches(token: string, tokenHash: string): boolean {
  const presented = Buffer.from(hashToken(token), 'hex');
  const expected = Buffer.from(tokenHash, 'hex');
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
