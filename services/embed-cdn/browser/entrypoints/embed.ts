import type { Load } from '../core/chunks.ts';
import { listenForOpens } from '../core/open-interfaces.ts';
import { has } from '../core/placement.ts';
import { createRegistry, type Registry, type SvcForms } from '../core/registry.ts';
import { createTriggers } from '../triggers/table.ts';

/** The hash in the names of all chunks, defined by the build. */
declare const HASH: string;

/**
 * The key under which later copies of this script find the first one. Pages can't use it by
 * accident.
 */
const REGISTRY = Symbol.for('svcforms');
interface Stub {
  /** Calls of `render` before this script, each with the handle that its caller got. */
  calls?: { args: Parameters<SvcForms['render']>; isOver?: boolean }[];
}
const page = window as Window & { SvcForms?: SvcForms & { [REGISTRY]?: Registry } };

function makeRegistry(origin: string): Registry {
  const load: Load = (name) => import(`${origin}/embed/${name}.${HASH}.js`);
  const registry = createRegistry({
    triggers: createTriggers(load),
    base: origin,
    load,
    loadUi: (...given) => load('ui').then(({ prepare }) => prepare(...given)),
  });
  const { open, close, render } = registry;
  const stub = page.SvcForms as Stub | undefined;
  page.SvcForms = { open: (formId) => open(formId), close, render, [REGISTRY]: registry };
  listenForOpens(open);
  stub?.calls?.forEach((call) => call.isOver || Object.assign(call, render(...call.args)));
  return registry;
}

function start(tag: HTMLScriptElement): void {
  const { origin } = new URL(tag.src || location.href);
  if (has(tag, 'debug')) void import(`${origin}/embed/debug.js`);
  const registry = page.SvcForms?.[REGISTRY] ?? makeRegistry(origin);
  void registry.add(tag, performance.now(), origin);
}

const own = document.currentScript as HTMLScriptElement | null;
// Matches `text/javascript` and `application/javascript`. Consent managers block tags by another
// type, such as `text/plain` or `didomi/javascript`.
const tags = 'script[src*="/embed.js"]:not([type]:not([type=module],[type*="t/j"],[type*="n/j"]))';
const modules = `${tags}[type=module]`;

if (own) start(own);
// A module runs once for all tags with its URL and doesn't know them, so it looks for them in the
// page. So does a script that something else than its tag runs: a tag manager, or jQuery, which
// runs scripts in tags of its own.
if (!has(own, 'form-id')) {
  // Scripts of other products have this name too, and the first tag says where forms are loaded
  // from. One that names a form is certainly ours, and only modules don't know their tag.
  for (const selector of [`${tags}[data-svc-form-id]`, modules, tags])
    document.querySelectorAll<HTMLScriptElement>(selector).forEach(start);
}
if (!own) {
  document.addEventListener(
    'load',
    ({ target }) => (target as Element).matches(modules) && start(target as HTMLScriptElement),
    true,
  );
}
