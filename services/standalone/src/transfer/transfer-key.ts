import { createSecretBox, type SecretBox } from '@svcforms/signing';
import { scryptSync } from 'node:crypto';

/** As for passwords of users: a tenth of a second for each guess. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 ** 2 };
const KEY_BYTES = 32;
const PROOF_CONTEXT = 'account-export';
const PROOF = 'svcforms';

/** The box that seals the secrets of an export with a passphrase. `salt` is base64. */
export function transferBox(passphrase: string, salt: string): SecretBox {
  const key = scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), KEY_BYTES, COST);
  return createSecretBox([key.toString('base64')]);
}

/** A known text, by which {@link checkPassphrase} recognizes the passphrase. */
export const proofOf = (box: SecretBox): string => box.seal(PROOF, PROOF_CONTEXT);

/** @throws Error when the box doesn't open the proof */
export function checkPassphrase(box: SecretBox, proof: string): void {
  try {
    if (box.open(proof, PROOF_CONTEXT) === PROOF) return;
  } catch {
    // Reported below, without saying more.
  }
  throw new Error('the passphrase is not the one of this export; nothing was imported');
}
