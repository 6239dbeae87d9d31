import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { formRoute } from '../form/form-route.ts';

export const inboundRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/integrations',
  component: lazyRouteComponent(() => import('./inbound-screen.tsx'), 'InboundScreen'),
});
