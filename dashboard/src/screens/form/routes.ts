import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { strictSearch } from '../../navigation/strict-search.ts';
import { inboundEndpointRoute, inboundRoute } from '../inbound/routes.ts';
import { submissionRoute, submissionsRoute } from '../submissions/routes.ts';
import { deliveryRoute, webhookRoute, webhooksRoute } from '../webhooks/routes.ts';
import { formRoute } from './layout/form-route.ts';
import { readOverviewSearch } from './overview/overview-search.ts';

const overviewRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/',
  component: lazyScreen(() => import('./overview/overview-screen.tsx'), 'OverviewScreen'),
  validateSearch: strictSearch(readOverviewSearch),
  // Counts belong to one form.
  remountDeps: ({ params }) => params.formId,
});

const buildRoute = createRoute({
  getParentRoute: () => formRoute,
  path: 'build',
  component: lazyScreen(() => import('./build/build-screen.tsx'), 'BuildScreen'),
  // A draft belongs to one form.
  remountDeps: ({ params }) => params.formId,
});

const displayRoute = createRoute({
  getParentRoute: () => formRoute,
  path: 'display',
  component: lazyScreen(() => import('./display/display-screen.tsx'), 'DisplayScreen'),
  // A draft belongs to one form.
  remountDeps: ({ params }) => params.formId,
});

const languagesRoute = createRoute({
  getParentRoute: () => formRoute,
  path: 'languages',
  component: lazyScreen(() => import('./languages/languages-screen.tsx'), 'LanguagesScreen'),
  // A draft belongs to one form.
  remountDeps: ({ params }) => params.formId,
});

const settingsRoute = createRoute({
  getParentRoute: () => formRoute,
  path: 'settings',
  component: lazyScreen(() => import('./settings/form-settings-screen.tsx'), 'FormSettingsScreen'),
  // A draft belongs to one form.
  remountDeps: ({ params }) => params.formId,
});

const publishRoute = createRoute({
  getParentRoute: () => formRoute,
  path: 'publish',
  component: lazyScreen(() => import('./publish/publish-screen.tsx'), 'PublishScreen'),
  // The closing settings belong to one form.
  remountDeps: ({ params }) => params.formId,
});

const shareRoute = createRoute({
  getParentRoute: () => formRoute,
  path: 'share',
  component: lazyScreen(() => import('./share/share-screen.tsx'), 'ShareScreen'),
});

/** The screens of one form. */
export const formRoutes = formRoute.addChildren([
  overviewRoute,
  buildRoute,
  displayRoute,
  languagesRoute,
  publishRoute,
  submissionsRoute.addChildren([submissionRoute]),
  webhooksRoute,
  webhookRoute,
  deliveryRoute,
  inboundRoute,
  inboundEndpointRoute,
  settingsRoute,
  shareRoute,
]);
