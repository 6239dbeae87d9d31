import type { Scope } from '@svcforms/contracts';
import { useMatches } from '@tanstack/react-router';
import { hasScope, useMe } from '../api/session.ts';

/**
 * Whether the user's role opens the current screen, which may be reached by its URL although no
 * link leads there. `screens` are in the order of the navigation; those below one share its scope.
 */
export function useMayOpen(screens: readonly { to: string; scope: Scope | undefined }[]): boolean {
  const me = useMe();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const screen = screens.findLast(({ to }) => `${path}/`.startsWith(`${to}/`));
  return screen === undefined || hasScope(me, screen.scope);
}
