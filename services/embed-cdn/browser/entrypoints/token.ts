import type { ProofChallenge } from '@svcforms/contracts';
import type { FormView } from '../core/ui.ts';
import { watch as watchWith } from '../parts/token.ts';

/** The hash in the names of all chunks, defined by the build. */
declare const HASH: string;

interface Solver {
  solve: (challenge: ProofChallenge) => Promise<string>;
}

/** Only visitors who must prove work load the solver. */
export const watch = (node: HTMLElement, view: FormView) =>
  watchWith(node, view, () => import(new URL(`proof.${HASH}.js`, import.meta.url).href) as Promise<Solver>);

export { styles } from '../parts/token.ts';
