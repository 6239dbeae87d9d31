import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/shell-route.ts';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('./login-screen.tsx'), 'LoginScreen'),
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => (isPathOfOurs(to) ? { to } : {}),
});

/** `//example.com` and `/\example.com` are URLs of other hosts. */
function isPathOfOurs(to: unknown): to is string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to);
}
