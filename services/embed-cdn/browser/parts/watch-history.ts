/**
 * Calls back after each change of the history, for browsers without the Navigation API. The history
 * is patched once per page; a router that patches it too still gets every call.
 */
export function watchHistory(onChange: () => void): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (...args) {
      original.apply(this, args);
      onChange();
    };
  }
  addEventListener('popstate', onChange);
}
