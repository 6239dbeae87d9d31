import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { shellRoute } from '../../shell/shell-route.ts';

export const developersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers',
  component: lazyScreen(() => import('./developers-screen.tsx'), 'DevelopersScreen'),
});
