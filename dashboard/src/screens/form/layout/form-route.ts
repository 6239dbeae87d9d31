import { createRoute, notFound } from '@tanstack/react-router';
import { lazyScreen } from '../../../navigation/lazy-screen.ts';
import { isApiError } from '../../../api/api-error.ts';
import { draftQuery, formQuery } from '../../../api/forms.ts';
import { NotFound } from '../../../shell/error-screen.tsx';
import { shellRoute } from '../../../shell/shell-route.ts';

/** Loads the form before any of its screens. */
export const formRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms/$formId',
  component: lazyScreen(() => import('./form-layout.tsx'), 'FormLayout'),
  // Without it, the not-found page would replace the whole shell.
  notFoundComponent: NotFound,
  async loader({ context, params }) {
    try {
      const { queryClient } = context;
      await Promise.all([
        queryClient.ensureQueryData(formQuery(params.formId)),
        queryClient.ensureQueryData(draftQuery(params.formId)),
      ]);
    } catch (error) {
      throw isApiError(error) && error.code === 'NOT_FOUND' ? notFound() : error;
    }
  },
});
