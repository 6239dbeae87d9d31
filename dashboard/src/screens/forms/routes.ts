import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/shell-route.ts';

export const formsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms',
  component: lazyRouteComponent(() => import('./forms-screen.tsx'), 'FormsScreen'),
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === 'string' && q ? { q } : {},
});
