import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { formRoutes } from '../screens/form/routes.ts';
import { formsRoute } from '../screens/forms/routes.ts';
import { inboxRoutes } from '../screens/inbox/routes.ts';
import { settingsRoutes } from '../screens/settings/routes.ts';
import { loginRoute } from '../screens/login/routes.ts';
import { Failed } from './failed.tsx';
import { rootRoute, shellRoute } from './shell-route.ts';

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/forms', replace: true });
  },
});

/** Every screen. An area of its own begins with a path that services/forms-api/src/dashboard knows as well. */
const routeTree = rootRoute.addChildren([
  loginRoute,
  shellRoute.addChildren([homeRoute, formsRoute, formRoutes, inboxRoutes, settingsRoutes]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // Where a screen would be, with the way to others still around it.
    defaultErrorComponent: Failed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
