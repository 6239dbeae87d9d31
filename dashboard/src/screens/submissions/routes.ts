import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { formRoute } from '../form/layout/form-route.ts';
import { readSubmissionSearch } from './submission-search.ts';

export const submissionsRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/submissions',
  component: lazyRouteComponent(() => import('./submissions-screen.tsx'), 'SubmissionsScreen'),
  validateSearch: readSubmissionSearch,
});

export const submissionRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/submissions/$submissionId',
  component: lazyRouteComponent(() => import('./submission-screen.tsx'), 'SubmissionScreen'),
});
