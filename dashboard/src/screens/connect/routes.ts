import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { shellRoute } from '../../shell/shell-route.ts';

/** A link in Slack opens it. */
export const connectSlackRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect-slack',
  component: lazyScreen(() => import('./connect-slack-screen.tsx'), 'ConnectSlackScreen'),
});

/** An agent sends the browser here. Visitors who aren't logged in log in first. */
export const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connect/$consentId',
  component: lazyScreen(() => import('./connect-screen.tsx'), 'ConnectScreen'),
});
