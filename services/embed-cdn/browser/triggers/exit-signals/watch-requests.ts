import type { Scope } from '../../core/scope.ts';
import { REQUEST_MS } from './signal.ts';

/**
 * Returns whether the visitor has just requested something that takes the focus. Any click may open
 * a dialog of the browser, another tab, or an application.
 */
export function watchRequests(scope: Scope): () => boolean {
  let requestedAt = -Infinity;
  scope.on(window, 'beforeprint click', () => (requestedAt = performance.now()));
  return () => performance.now() - requestedAt <= REQUEST_MS;
}
