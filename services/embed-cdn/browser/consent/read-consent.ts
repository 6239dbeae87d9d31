import type { ConsentSource } from '../core/consent.ts';
import { first, parseConsent, member, type ConsentState } from './parse-consent.ts';

/**
 * Reads the consent state from the first configured source that has one.
 * docs/reference/popups.md#tracking-consent
 */
export function readConsent(source: ConsentSource): ConsentState {
  const { cookie, storageKey, windowPath, category, consentMode } = source;
  const places: (() => unknown)[] = [
    () => cookie && cookieValue(cookie),
    () => storageKey && localStorage.getItem(storageKey),
    () => storageKey && sessionStorage.getItem(storageKey),
    () => windowPath && windowPath.split('.').reduce<unknown>(member, window),
    () => consentMode && consentModeState(consentMode === true ? 'analytics_storage' : consentMode),
  ];
  return first(places, (read) => {
    try {
      return parseConsent(read(), category);
    } catch {
      // Blocked storage and throwing getters mean that the state is unknown.
      return undefined;
    }
  });
}

function cookieValue(name: string): string | undefined {
  const found = document.cookie.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** The last states by key. Tag managers drop the oldest entries of a long data layer. */
const states = new Map<string, ConsentState>();

/**
 * Walks forward because the last command that sets the key wins. gtag pushes `arguments` objects,
 * which aren't arrays.
 */
function consentModeState(key: string): ConsentState {
  let state = states.get(key);
  for (const entry of Array.from((member(window, 'dataLayer') ?? []) as ArrayLike<unknown>)) {
    const [command, kind, values] = ['0', '1', '2'].map((index) => member(entry, index));
    const isRead =
      command === 'consent' && (kind === 'update' || (kind === 'default' && !member(values, 'region')));
    const value = isRead ? member(values, key) : undefined;
    if (value !== undefined) state = parseConsent(value);
  }
  states.set(key, state);
  return state;
}
