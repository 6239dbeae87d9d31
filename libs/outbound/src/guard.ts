import { checkUrlByRules, type Refusal } from './check-url.ts';
import { rulesOf, type Policy } from './policy.ts';
import { createResolveTarget, type Lookup } from './resolve-target.ts';
import { lookupOf } from './system-lookup.ts';

/**
 * Checks URLs when they are saved. The client checks them again, because their DNS records may
 * change.
 */
export interface Guard {
  /**
   * Returns why a URL is refused, or `null`. Its name is looked up; a name without an address, or
   * without a response within 3 s, is accepted.
   * @param accountId name lookups of one account don't delay those of others
   */
  checkTarget(url: string, accountId?: string): Promise<Refusal | null>;
}

/** Saving a form shouldn't wait longer for a slow name server. */
const LOOKUP_TIMEOUT_MS = 3000;

/** @throws PolicyError for a policy that `parsePolicy` rejects */
export function createGuard(policy: Policy, deps: { lookup?: Lookup } = {}): Guard {
  const rules = rulesOf(policy);
  const resolveTarget = createResolveTarget(rules, deps.lookup ?? lookupOf(policy));
  return {
    async checkTarget(url, accountId) {
      const checked = checkUrlByRules(url, rules);
      if (!checked.ok) return checked.refusal;
      const { target } = checked;
      // Without addresses, an exception for allowed ranges can't apply.
      const unresolved = target.refusalUnlessAllowed;
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), LOOKUP_TIMEOUT_MS);
      try {
        const resolution = await resolveTarget(target, { signal: timeout.signal, accountId });
        return 'refusal' in resolution ? resolution.refusal : null;
      } catch {
        return unresolved;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
