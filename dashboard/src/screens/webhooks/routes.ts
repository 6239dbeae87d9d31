import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { strictSearch } from '../../navigation/strict-search.ts';
import { formRoute } from '../form/layout/form-route.ts';
import { readWebhookSearch } from './webhook-search.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks',
  component: lazyScreen(() => import('./webhooks-screen.tsx'), 'WebhooksScreen'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks/$webhookId',
  component: lazyScreen(() => import('./webhook-screen.tsx'), 'WebhookScreen'),
  validateSearch: strictSearch(readWebhookSearch),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyScreen(() => import('./delivery-screen.tsx'), 'DeliveryScreen'),
});
