import { judge, own, type Answer } from './judge.ts';
import type { ConsentSource } from './watch-consent.ts';

/** The site's own answer, from the first of the named places that has one. spec: popup-forms, Consent rules */
export function readConsent(source: ConsentSource): Answer {
  const { cookie, storageKey, windowPath, category, consentMode } = source;
  const places = [
    () => cookie && cookieValue(cookie),
    () => storageKey && localStorage.getItem(storageKey),
    () => storageKey && sessionStorage.getItem(storageKey),
    () => windowPath && windowPath.split('.').reduce<unknown>(own, window),
  ];
  for (const read of places) {
    try {
      const answer = judge(read(), category);
      if (answer !== undefined) return answer;
    } catch {
      // Storage that is blocked has no answer.
    }
  }
  return consentMode
    ? consentModeAnswer(consentMode === true ? 'analytics_storage' : consentMode)
    : undefined;
}

function cookieValue(name: string): string | undefined {
  const found = document.cookie.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** Walks forward; gtag pushes `arguments` objects, which are no arrays. The last command that has the key wins. */
function consentModeAnswer(key: string): Answer {
  const layer = own(window, 'dataLayer') as ArrayLike<unknown> | undefined;
  let answer: Answer;
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const entry = layer?.[i];
    const kind = own(entry, '1');
    const values = own(entry, '2');
    const isCommand =
      own(entry, '0') === 'consent' && (kind === 'update' || (kind === 'default' && !own(values, 'region')));
    const value = isCommand ? own(values, key) : undefined;
    if (value !== undefined) answer = judge(value);
  }
  return answer;
}
