import { MIN_PASSWORD_LENGTH } from '@svcforms/contracts';

interface Strength {
  check(password: string, userInputs: string[]): { score: number };
}

/**
 * Passwords below this zxcvbn score need fewer than a million guesses: common ones and simple
 * variations of them.
 */
const MIN_SCORE = 2;
/** Only the beginning of longer passwords is checked, because the estimate takes quadratic time. */
const MAX_CHECKED_CHARACTERS = 72;
/** The dictionary takes 24 MB and is rarely needed, so it is unloaded after this time. */
const UNLOAD_AFTER_MS = 60_000;

let loaded: Promise<Strength> | undefined;
let unload: NodeJS.Timeout | undefined;

/**
 * Returns what is wrong with a new password, worded to follow the field's name ("must have …");
 * `null` for an acceptable one. `related`: what an attacker tries first for this user, such as the
 * email address. docs/reference/authentication.md#passwords
 */
export async function passwordProblem(password: string, related: readonly string[]): Promise<string | null> {
  const normalized = password.normalize('NFKC');
  if (normalized.length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters`;
  // Case is ignored: capitals are what people first add to a common password.
  const checked = normalized.slice(0, MAX_CHECKED_CHARACTERS).toLowerCase();
  const { score } = (await strength()).check(checked, ['svcforms', ...related.flatMap(guessesFrom)]);
  return score < MIN_SCORE ? 'is too easy to guess; use several unrelated words or a generated one' : null;
}

/** For `Ada Lovelace`: `ada lovelace`, `ada`, `lovelace` and `adalovelace`. */
function guessesFrom(text: string): string[] {
  const parts = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return [text.toLowerCase(), ...parts, parts.join('')].filter((guess) => guess.length >= 3);
}

function strength(): Promise<Strength> {
  clearTimeout(unload);
  unload = setTimeout(() => (loaded = undefined), UNLOAD_AFTER_MS);
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
