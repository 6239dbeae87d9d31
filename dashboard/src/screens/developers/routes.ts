import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/shell-route.ts';

export const developersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers',
  component: lazyRouteComponent(() => import('./developers-screen.tsx'), 'DevelopersScreen'),
});
