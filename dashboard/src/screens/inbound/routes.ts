import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { formRoute } from '../form/layout/form-route.ts';

export const inboundRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/integrations',
  component: lazyScreen(() => import('./inbound-screen.tsx'), 'InboundScreen'),
});

export const inboundEndpointRoute = createRoute({
  getParentRoute: () => formRoute,
  path: '/integrations/$inboundId',
  component: lazyScreen(() => import('./endpoint-screen.tsx'), 'EndpointScreen'),
  // Unsaved changes belong to one endpoint.
  remountDeps: ({ params }) => params.inboundId,
});
