import type { ConsentReader } from '../consent/watch-consent.ts';
import { listenForOpens } from '../core/open-interfaces.ts';
import { has } from '../core/placement.ts';
import { createRegistry, type Registry, type SvcForms } from '../core/registry.ts';
import type { Ui } from '../core/ui.ts';
import { triggers } from '../triggers/table.ts';

/** Names of the lazily loaded chunks; the build puts them in. */
declare const UI_FILE: string;
declare const CONSENT_FILE: string;

/** Where further copies of this script find the first one; not a name that pages can stumble on. */
const REGISTRY = Symbol.for('svcforms');
const page = window as Window & { SvcForms?: SvcForms & { [REGISTRY]?: Registry } };

const tag = document.currentScript as HTMLScriptElement | null;
const { origin } = new URL(tag?.src || location.href);

function makeRegistry(): Registry {
  const registry = createRegistry({
    triggers,
    base: origin,
    loadUi: () => import(`${origin}/embed/${UI_FILE}`) as Promise<Ui>,
    loadConsent: () => import(`${origin}/embed/${CONSENT_FILE}`) as Promise<ConsentReader>,
  });
  const { open, close } = registry;
  page.SvcForms = { open, close, [REGISTRY]: registry };
  listenForOpens(open);
  return registry;
}

if (has(tag, 'debug')) void import(`${origin}/embed/debug.js`);
const registry = page.SvcForms?.[REGISTRY] ?? makeRegistry();
const begin = () => void registry.add(tag, performance.now());
// What is prerendered may never be shown; time on the page begins when it is.
if ((document as Document & { prerendering?: boolean }).prerendering) {
  document.addEventListener('prerenderingchange', begin, { once: true });
} else {
  begin();
}
