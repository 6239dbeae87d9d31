import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { strictSearch } from '../../navigation/strict-search.ts';
import { formRoute } from '../form/layout/form-route.ts';
import { readWebhookSearch } from './webhook-search.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-screen.tsx'), 'WebhooksScreen'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./webhook-screen.tsx'), 'WebhookScreen'),
  validateSearch: strictSearch(readWebhookSearch),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery-screen.tsx'), 'DeliveryScreen'),
});
