import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/shell-route.ts';

interface FormsSearch {
  q?: string;
  /** Whether the dialog for a new form is open. */
  new?: true;
}

export const formsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms',
  component: lazyRouteComponent(() => import('./forms-screen.tsx'), 'FormsScreen'),
  validateSearch: ({ q, new: isNew }: Record<string, unknown>): FormsSearch => ({
    ...(typeof q === 'string' && q && { q }),
    ...(isNew === true && { new: true }),
  }),
});
