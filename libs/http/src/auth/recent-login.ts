import { AppError } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';

const RECENT_MS = 10 * 60_000;

/**
 * Protects calls that create or replace credentials, so that a stolen session isn't enough. Keys
 * pass, because their scopes limit them.
 * @param now in milliseconds since the epoch
 * @throws AppError `REAUTHENTICATION_REQUIRED` when the user logged in or entered the password more
 * than ten minutes ago
 */
export function requireRecentLogin({ session }: Pick<Caller, 'session'>, now: number): void {
  if (!session) return;
  const { authenticatedAt } = session;
  if (authenticatedAt !== undefined && now - Date.parse(authenticatedAt) <= RECENT_MS) return;
  throw new AppError(
    'REAUTHENTICATION_REQUIRED',
    session.via === 'oidc'
      ? 'You logged in more than 10 minutes ago. Log in again at /api/auth/oidc/start?prompt=login, then repeat the call.'
      : 'You logged in more than 10 minutes ago. Send your password to POST /api/auth/reauthenticate, then repeat the call.',
  );
}
