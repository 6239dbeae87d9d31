import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { formRoute } from '../form/layout/form-route.ts';

export const inboundRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/integrations',
  component: lazyRouteComponent(() => import('./inbound-screen.tsx'), 'InboundScreen'),
});

export const inboundEndpointRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/integrations/$inboundId',
  component: lazyRouteComponent(() => import('./endpoint-screen.tsx'), 'EndpointScreen'),
  // Unsaved changes belong to one endpoint.
  remountDeps: ({ params }) => params.inboundId,
});
