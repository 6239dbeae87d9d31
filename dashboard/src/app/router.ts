import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { meQuery } from '../api/session.ts';
import { connectRoute, connectSlackRoute } from '../screens/connect/routes.ts';
import { developersRoute } from '../screens/developers/routes.ts';
import { formRoutes } from '../screens/form/routes.ts';
import { formsRoute } from '../screens/forms/routes.ts';
import { inboxRoutes } from '../screens/inbox/routes.ts';
import { settingsRoutes } from '../screens/settings/routes.ts';
import { loginRoutes } from '../screens/login/routes.ts';
import { Loading } from '../components/loading.tsx';
import { ErrorScreen, NotFound } from '../shell/error-screen.tsx';
import { rootRoute, shellRoute } from '../shell/shell-route.ts';

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  // The parent has loaded the user.
  beforeLoad: ({ context }) => {
    const isReviewer = context.queryClient.getQueryData(meQuery.queryKey)?.role === 'reviewer';
    throw redirect({ to: isReviewer ? '/tasks' : '/forms', replace: true });
  },
});

/** Unknown paths, inside the shell. */
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFound,
});

/** All screens. services/forms-api/src/dashboard lists the first path segments too. */
const routeTree = rootRoute.addChildren([
  ...loginRoutes,
  shellRoute.addChildren([
    homeRoute,
    formsRoute,
    formRoutes,
    inboxRoutes,
    developersRoute,
    connectRoute,
    connectSlackRoute,
    settingsRoutes,
    unknownRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // Shows errors inside the shell, so that navigation still works.
    defaultErrorComponent: ErrorScreen,
    // After a second, instead of an empty page.
    defaultPendingComponent: Loading,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
