import type { UserRecord } from './records/user.ts';

/**
 * The issuer URL without and with a slash at its end: both name the same identity provider, and
 * users of either spelling are stored. New ones get the first.
 */
export function issuerSpellings(issuer: string): [string, string] {
  const bare = issuer.replace(/\/$/, '');
  return [bare, `${bare}/`];
}

/** The values of `oidcSubject` that a user of the provider may have. New users get the first. */
export function oidcSubjects(issuer: string, sub: string): [string, string] {
  const [bare, withSlash] = issuerSpellings(issuer);
  return [`${bare}|${sub}`, `${withSlash}|${sub}`];
}

/** The values of `oidcSubject` that name the same user of the provider as this one. */
export function spellingsOfSubject(oidcSubject: string): string[] {
  // The first bar ends the issuer: the `sub` of some providers has one too.
  const bar = oidcSubject.indexOf('|');
  return bar < 0 ? [oidcSubject] : oidcSubjects(oidcSubject.slice(0, bar), oidcSubject.slice(bar + 1));
}

/** Whether the user has logged in with the identity provider of this issuer URL. */
export function isIdentityOf({ oidcSubject }: Pick<UserRecord, 'oidcSubject'>, issuer: string): boolean {
  return issuerSpellings(issuer).some((spelling) => oidcSubject?.startsWith(`${spelling}|`));
}
