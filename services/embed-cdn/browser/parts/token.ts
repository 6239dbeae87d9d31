import type { SubmissionTokenOut } from '@svcforms/contracts';
import type { FormView } from '../core/ui.ts';

/**
 * What shows that a person filled in the form. Empty if the service can't be reached, or if a proof
 * that the token needs failed.
 */
export interface Evidence {
  token?: string;
  proof?: string;
}

type Solve = (challenge: SubmissionTokenOut['proof']) => Promise<string>;

interface Issued extends Pick<SubmissionTokenOut, 'token' | 'minFillMs'> {
  at: number;
  prove: () => Promise<string | undefined>;
  isProofRequired: boolean;
}

/** Half of the lifetime of a token. */
const MAX_AGE_MS = 3_600_000;

/**
 * Gets a token when the visitor begins to fill in the form. Returns a function that returns it for
 * one submission, with a proof of work if the service needs one: visitors who are faster than
 * expected, or whom it can't distinguish from scripts.
 */
export function watch(
  node: HTMLElement,
  { base, form }: FormView,
  loadSolver: () => Promise<{ solve: Solve }>,
): ((elapsedMs: number) => Promise<Evidence>) | undefined {
  // Another form on the page loaded this part.
  if (!form.spam) return undefined;
  const url = `${base}/api/forms/${form.id}/submission-token`;
  let current: Promise<Issued | undefined> | undefined;

  async function issue(): Promise<Issued | undefined> {
    try {
      const response = await fetch(url, { credentials: 'omit', cache: 'no-store' });
      const { data } = (await response.json()) as { data: SubmissionTokenOut };
      const { token, minFillMs, isProofRequired, proof } = data;
      let proving: Promise<string | undefined> | undefined;
      const prove = () =>
        (proving ??= loadSolver()
          .then(({ solve }) => solve(proof))
          .catch(() => undefined));
      // While the visitor is typing.
      if (isProofRequired) void prove();
      return { token, minFillMs, isProofRequired, prove, at: Date.now() };
    } catch {
      return undefined;
    }
  }

  const begin = () => void (current ??= issue());
  for (const type of ['focusin', 'input', 'pointerdown']) node.addEventListener(type, begin, { once: true });

  return async function evidence(elapsedMs) {
    let issued = await current;
    // A token is good for one submission.
    current = undefined;
    if (!issued || Date.now() - issued.at > MAX_AGE_MS) issued = await issue();
    if (!issued) return {};
    const { token, minFillMs, isProofRequired, at, prove } = issued;
    if (!isProofRequired && Math.min(elapsedMs, Date.now() - at) >= minFillMs) return { token };
    const proof = await prove();
    return proof ? { token, proof } : {};
  };
}

export const styles = '';
