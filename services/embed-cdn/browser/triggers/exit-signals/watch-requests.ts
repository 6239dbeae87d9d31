import { closest, LINKS } from '../../core/click-target.ts';
import type { Scope } from '../../core/scope.ts';
import { REQUEST_MS } from './signal.ts';

/**
 * Returns whether the visitor has just requested something that takes the focus: a dialog of the
 * browser, or a link, which may open another tab or application.
 */
export function watchRequests(scope: Scope): () => boolean {
  let requestedAt = -Infinity;
  scope.on(window, 'beforeprint click', (event) => {
    if (event.type === 'beforeprint' || closest(event, `${LINKS},input[type=file]`)) {
      requestedAt = performance.now();
    }
  });
  return () => performance.now() - requestedAt <= REQUEST_MS;
}
