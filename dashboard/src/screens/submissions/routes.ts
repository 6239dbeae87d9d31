import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { strictSearch } from '../../navigation/strict-search.ts';
import { formRoute } from '../form/layout/form-route.ts';
import { readSubmissionSearch } from './submission-search.ts';

export const submissionsRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/submissions',
  component: lazyScreen(() => import('./submissions-screen.tsx'), 'SubmissionsScreen'),
  validateSearch: strictSearch(readSubmissionSearch),
  // Submissions, and the filters that are being entered, belong to one form. The
  // parameter has a type, because without it the compiler doesn't infer the search parameters.
  remountDeps: ({ params }: { params: { formId: string } }) => params.formId,
});

/** Opens beside the list. */
export const submissionRoute = createRoute({
  getParentRoute: () => submissionsRoute,
  path: '$submissionId',
  component: lazyScreen(() => import('./submission-drawer.tsx'), 'SubmissionDrawer'),
});
