import { judgeByRules, type Refusal } from './judge-url.ts';
import { rulesOf, type Policy } from './policy.ts';
import { createResolveTarget, type Lookup } from './resolve-target.ts';
import { lookupOf } from './system-lookup.ts';

/** Judges a URL when it is saved. Being called, it is judged again: its name may lead elsewhere by then. */
export interface Guard {
  /**
   * The refusal of a URL that may not be called, or `null`. A name is looked up; one that has no address (yet), or no
   * answer within 3 s, is accepted.
   * @param accountId who saves it: look-ups of one account don't delay those of others
   */
  checkTarget(url: string, accountId?: string): Promise<Refusal | null>;
}

/** A name server that doesn't answer shouldn't keep the person waiting who saves a form. */
const LOOKUP_PATIENCE_MS = 3000;

/** @throws PolicyError for a policy that `parsePolicy` would refuse */
export function createGuard(policy: Policy, deps: { lookup?: Lookup } = {}): Guard {
  const rules = rulesOf(policy);
  const resolveTarget = createResolveTarget(rules, deps.lookup ?? lookupOf(policy));
  return {
    async checkTarget(url, accountId) {
      const verdict = judgeByRules(url, rules);
      if (!verdict.ok) return verdict.refusal;
      const { target } = verdict;
      // Without addresses nothing shows that an exception for allowed ranges applies.
      const unresolved = target.unlessAllowed;
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(), LOOKUP_PATIENCE_MS);
      try {
        const resolution = await resolveTarget(target, { signal: patience.signal, accountId });
        return 'refusal' in resolution ? resolution.refusal : null;
      } catch {
        return unresolved;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
