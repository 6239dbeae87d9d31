import { judgeByRules, type Refusal } from './judge-url.ts';
import { rulesOf, type Policy } from './policy.ts';
import { createResolveTarget, systemLookup, type Lookup } from './resolve-target.ts';

/** Judges a URL when it is saved. Being called, it is judged again: its name may lead elsewhere by then. */
export interface Guard {
  /**
   * The refusal of a URL that may not be called, or `null`. A name is looked up; one that has no address (yet), or no
   * answer within 3 s, is accepted.
   */
  checkTarget(url: string): Promise<Refusal | null>;
}

/** A name server that doesn't answer shouldn't keep the person waiting who saves a form. */
const LOOKUP_PATIENCE_MS = 3000;

/** @throws PolicyError for a policy that `parsePolicy` would refuse */
export function createGuard(policy: Policy, deps: { lookup?: Lookup } = {}): Guard {
  const rules = rulesOf(policy);
  const resolveTarget = createResolveTarget(rules, deps.lookup ?? systemLookup);
  return {
    async checkTarget(url) {
      const verdict = judgeByRules(url, rules);
      if (!verdict.ok) return verdict.refusal;
      const { target } = verdict;
      // Without addresses nothing shows that an exception for allowed ranges applies.
      const unresolved = target.unlessAllowed;
      const resolved = resolveTarget(target).then(
        (resolution) => ('refusal' in resolution ? resolution.refusal : null),
        () => unresolved,
      );
      return within(LOOKUP_PATIENCE_MS, resolved, unresolved);
    },
  };
}

async function within<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
