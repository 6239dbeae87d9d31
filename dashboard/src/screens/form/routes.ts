import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inboundRoute } from '../inbound/routes.ts';
import { submissionRoute, submissionsRoute } from '../submissions/routes.ts';
import { deliveryRoute, webhookRoute, webhooksRoute } from '../webhooks/routes.ts';
import { formRoute } from './form-route.ts';

const overviewRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
});

/** The screens of one form, as `tabs.ts` lists them. */
export const formRoutes = formRoute.addChildren([
  overviewRoute,
  submissionsRoute,
  submissionRoute,
  webhooksRoute,
  webhookRoute,
  deliveryRoute,
  inboundRoute,
]);
