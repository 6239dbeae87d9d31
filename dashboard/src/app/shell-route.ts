import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { isApiError } from '../api/api-error.ts';
import { meQuery } from '../api/session.ts';
import { NotFound } from './failed.tsx';
import { Root } from './root.tsx';
import { Shell } from './shell.tsx';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
});

/** Everything for which one has to have logged in. Whoever has not comes back to where they wanted to go. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  notFoundComponent: NotFound,
  async beforeLoad({ context, location }) {
    try {
      await context.queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!isApiError(error) || error.status !== 401) throw error;
      throw redirect({ to: '/login', search: { to: location.href } });
    }
  },
});
