import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { searchText, strictSearch } from '../../navigation/strict-search.ts';
import { shellRoute } from '../../shell/shell-route.ts';

interface FormsSearch {
  q?: string;
  /** Whether the dialog for a new form is open. */
  new?: true;
}

export const formsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms',
  component: lazyScreen(() => import('./forms-screen.tsx'), 'FormsScreen'),
  validateSearch: strictSearch(({ q, new: isNew }): FormsSearch => ({
    ...(searchText(q) && { q: searchText(q) }),
    ...(isNew === true && { new: true }),
  })),
});
