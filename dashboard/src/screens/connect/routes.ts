import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/shell-route.ts';

/** A link in Slack opens it. */
export const connectSlackRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect-slack',
  component: lazyRouteComponent(() => import('./connect-slack-screen.tsx'), 'ConnectSlackScreen'),
});

/** An agent sends the browser here. Visitors who aren't logged in log in first. */
export const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect/$consentId',
  component: lazyRouteComponent(() => import('./connect-screen.tsx'), 'ConnectScreen'),
});
