import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/shell-route.ts';

/** An agent sends the browser here. Visitors who aren't logged in log in first. */
export const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect/$consentId',
  component: lazyRouteComponent(() => import('./connect-screen.tsx'), 'ConnectScreen'),
});
