import type { DeliveryStatus, WebhookEventType } from '@svcforms/contracts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { formRoute } from '../form/layout/form-route.ts';

/** The filters of the deliveries. */
export interface WebhookSearch {
  delivery?: DeliveryStatus;
  event?: WebhookEventType;
}

export const webhooksRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-screen.tsx'), 'WebhooksScreen'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./webhook-screen.tsx'), 'WebhookScreen'),
  validateSearch: ({ delivery, event }: Record<string, unknown>): WebhookSearch => ({
    ...(isKeyOf(webhooksTexts.deliveries.statuses, delivery) && { delivery: delivery as DeliveryStatus }),
    ...(isKeyOf(webhooksTexts.events, event) && { event: event as WebhookEventType }),
  }),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery-screen.tsx'), 'DeliveryScreen'),
});

function isKeyOf(table: object, key: unknown): boolean {
  return typeof key === 'string' && Object.hasOwn(table, key);
}
