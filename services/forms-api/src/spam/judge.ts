import type { QuarantineReason } from '@svcforms/contracts';
import { HOUR_MS } from '@svcforms/primitives';

/** Clients prove work when they submit within this time after they got the token. */
export const MIN_FILL_MS = 5_000;
/** Shorter than `MIN_FILL_MS`, because the clocks of two processes differ. */
const TOO_FAST_MS = 3_000;
/** A form stays open while somebody looks for an answer. */
export const TOKEN_LIFETIME_MS = 2 * HOUR_MS;

/** The token of a submission. */
export interface Token {
  /** When it was issued, in milliseconds since the epoch. */
  issuedAt: number;
  isProofRequired: boolean;
}

export interface Evidence {
  /** `undefined` if there is no valid token of this form. */
  token: Token | undefined;
  /** Whether the submission has a proof of work for this token. */
  isProved: boolean;
  /** The milliseconds that the form was shown, as the client says. */
  elapsedMs: number | undefined;
  now: number;
}

/**
 * Decides whether a submission is suspicious, and why. The client's `elapsedMs` counts only as far
 * as the age of its token confirms it, and the age alone without it.
 * docs/reference/forms.md#spam-protection
 */
export function judge({
  token,
  isProved,
  elapsedMs = Infinity,
  now,
}: Evidence): QuarantineReason | undefined {
  if (!token) return 'no_token';
  const age = now - token.issuedAt;
  if (age > TOKEN_LIFETIME_MS) return 'expired_token';
  if (isProved) return undefined;
  if (Math.min(age, elapsedMs) < TOO_FAST_MS) return 'too_fast';
  return token.isProofRequired ? 'no_proof' : undefined;
}
