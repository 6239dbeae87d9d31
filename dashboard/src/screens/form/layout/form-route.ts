import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { isApiError } from '../../../api/api-error.ts';
import { formQuery } from '../../../api/forms.ts';
import { shellRoute } from '../../../shell/shell-route.ts';

/** Loads the form before any of its screens. */
export const formRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms/$formId',
  component: lazyRouteComponent(() => import('./form-layout.tsx'), 'FormLayout'),
  async loader({ context, params }) {
    try {
      await context.queryClient.ensureQueryData(formQuery(params.formId));
    } catch (error) {
      throw isApiError(error) && error.code === 'NOT_FOUND' ? notFound() : error;
    }
  },
});
