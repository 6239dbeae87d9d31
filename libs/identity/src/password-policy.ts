import { MIN_PASSWORD_LENGTH } from '@svcforms/contracts';

interface Strength {
  check(password: string, userInputs: string[]): { score: number };
}

/** zxcvbn's score for what fewer than a million guesses find: the common passwords, and simple variations of them. */
const TOO_COMMON_BELOW = 2;
/** Longer ones are judged by their beginning: the estimate takes quadratic time. */
const JUDGED_CHARACTERS = 72;
/** The dictionary takes 24 MB, and passwords are set seldom. */
const KEPT_MS = 60_000;

let loaded: Promise<Strength> | undefined;
let unload: NodeJS.Timeout | undefined;

/**
 * What is wrong with a new password, worded to follow its name ("must have …"); `null` for a good one. Stored passwords of older
 * versions aren't judged. `related`: what an attacker tries first for this user, such as the email address.
 */
export async function passwordProblem(password: string, related: readonly string[]): Promise<string | null> {
  const normalized = password.normalize('NFKC');
  if (normalized.length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters`;
  // Capitals are what people add to a common password first; here they don't count.
  const judged = normalized.slice(0, JUDGED_CHARACTERS).toLowerCase();
  const { score } = (await strength()).check(judged, ['svcforms', ...related.flatMap(guessesFrom)]);
  return score < TOO_COMMON_BELOW
    ? 'is too easy to guess; use several unrelated words or a generated one'
    : null;
}

/** `Ada Lovelace` → itself, `ada`, `lovelace`, `adalovelace`. */
function guessesFrom(text: string): string[] {
  const parts = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return [text.toLowerCase(), ...parts, parts.join('')].filter((guess) => guess.length >= 3);
}

function strength(): Promise<Strength> {
  clearTimeout(unload);
  unload = setTimeout(() => (loaded = undefined), KEPT_MS);
  unload.unref();
  return (loaded ??= load());
}

async function load(): Promise<Strength> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
