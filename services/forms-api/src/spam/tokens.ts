import type { ProofChallenge } from '@svcforms/contracts';
import type { SecretBox } from '@svcforms/signing';
import { createChallenge, verifySolution } from 'altcha-lib';
import { randomBytes } from 'node:crypto';
import type { Token } from './judge.ts';
import type { Demand } from './suspicion.ts';

/** A token that this product issued for a form. */
export interface KnownToken extends Token {
  /** Different in each token. */
  id: string;
  /** Signs the challenge. Nobody but us knows it, so a proof counts only for its own token. */
  proofKey: string;
}

const contextOf = (formId: string) => `submission-tokens/${formId}`;

/** Creates an encrypted token for one submission of a form, with its challenge. */
export async function issueToken(
  secretBox: Pick<SecretBox, 'seal'>,
  { formId, isProofRequired, maxNumber, now }: Demand & { formId: string; now: number },
): Promise<{ token: string; proof: ProofChallenge }> {
  const known: KnownToken = {
    id: randomBytes(15).toString('base64url'),
    issuedAt: now,
    isProofRequired,
    proofKey: randomBytes(18).toString('base64url'),
  };
  const { challenge, salt, signature } = await createChallenge({
    algorithm: 'SHA-256',
    hmacKey: known.proofKey,
    maxnumber: maxNumber,
  });
  return {
    token: secretBox.seal(JSON.stringify(known), contextOf(formId)),
    proof: { algorithm: 'SHA-256', challenge, maxnumber: maxNumber, salt, signature },
  };
}

/** Reads a token of a form. `undefined` if we didn't issue it for this form. */
export function readToken(
  secretBox: Pick<SecretBox, 'open'>,
  formId: string,
  token: string | undefined,
): KnownToken | undefined {
  if (token === undefined) return undefined;
  try {
    return JSON.parse(secretBox.open(token, contextOf(formId))) as KnownToken;
  } catch {
    return undefined;
  }
}

/** Whether `proof` solves the challenge of the token. */
export async function provesWork(
  { proofKey }: Pick<KnownToken, 'proofKey'>,
  proof: string | undefined,
): Promise<boolean> {
  if (proof === undefined) return false;
  try {
    return await verifySolution(proof, proofKey);
  } catch {
    // The library throws when the proof isn't an object or names another algorithm.
    return false;
  }
}
