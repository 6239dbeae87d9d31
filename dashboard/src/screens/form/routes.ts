import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { formRoute } from './form-route.ts';

const overviewRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
});

/** The screens of one form, as `tabs.ts` lists them. */
export const formRoutes = formRoute.addChildren([overviewRoute]);
