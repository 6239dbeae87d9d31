import { HOUR_MS } from '@svcforms/primitives';
import { generateToken, hashToken } from '@svcforms/signing';

/** How long the link of an invitation or a password reset works. */
export const LINK_LIFETIME_MS = HOUR_MS;

/** A link as it is stored: a reader of the store can't use it. */
// A type, because interfaces aren't assignable to JSON values.
export type StoredLink = {
  /** SHA-256 of the secret in the token, hex. */
  hash: string;
  /** ISO 8601. */
  expiresAt: string;
};

/**
 * Creates a link to a stored document. The token, `<id>.<secret>`, belongs in the fragment of a
 * URL: browsers send fragments to no server, neither in requests nor in `Referer`.
 */
export function newLink(ownerId: string, expiresAt: string): { token: string; link: StoredLink } {
  const secret = generateToken('');
  return { token: `${ownerId}.${secret}`, link: { hash: hashToken(secret), expiresAt } };
}

/** Returns the parts of a token; `null` if it isn't one. */
export function readLink(token: string): { ownerId: string; hash: string } | null {
  const [ownerId = '', secret = '', ...rest] = token.split('.');
  return ownerId && secret && rest.length === 0 ? { ownerId, hash: hashToken(secret) } : null;
}

/** Whether one of the stored links has this hash and hasn't expired. @param at in ISO 8601 */
export function isLinkOpen(links: readonly StoredLink[] | undefined, hash: string, at: string): boolean {
  return (links ?? []).some((link) => link.hash === hash && link.expiresAt > at);
}
