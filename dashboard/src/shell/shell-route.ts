import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import type { MeOut } from '@svcforms/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { isApiError } from '../api/api-error.ts';
import { meQuery } from '../api/session.ts';
import { keepMailLink } from '../api/mail-links.ts';
import { NotFound } from './error-screen.tsx';
import { PendingShell, Root, Shell } from './shell.tsx';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
});

/**
 * The parent of all screens that need a login. After the login, the user returns to the requested
 * screen.
 */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  pendingComponent: PendingShell,
  notFoundComponent: NotFound,
  async beforeLoad({ context, location }) {
    let me: MeOut;
    try {
      me = await context.queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!isApiError(error) || error.status !== 401) throw error;
      const [, taskId] = /^\/tasks\/(\w+)$/.exec(location.pathname) ?? [];
      // The token of an email stays in the browser: the URL of the login reaches the server.
      const isKept = taskId !== undefined && keepMailLink(taskId, location.hash);
      const to = isKept ? location.pathname + location.searchStr : location.href;
      throw redirect({ to: '/login', search: { to } });
    }
    // Nothing else is allowed before.
    if (me.mustSetUpSecondFactor && location.pathname !== '/settings') {
      throw redirect({ to: '/settings', replace: true });
    }
  },
});
