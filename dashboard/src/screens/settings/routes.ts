import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { strictSearch } from '../../navigation/strict-search.ts';
import { shellRoute } from '../../shell/shell-route.ts';
import { readWebhookSearch } from '../webhooks/webhook-search.ts';
import { readAuditSearch } from './audit-search.ts';

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyScreen(() => import('./settings-layout.tsx'), 'SettingsLayout'),
});

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyScreen(() => import('./profile-screen.tsx'), 'ProfileScreen'),
});

const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/account',
  component: lazyScreen(() => import('./account-screen.tsx'), 'AccountScreen'),
});

const usersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/users',
  component: lazyScreen(() => import('./users-screen.tsx'), 'UsersScreen'),
});

const groupsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/groups',
  component: lazyScreen(() => import('./groups-screen.tsx'), 'GroupsScreen'),
});

const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  component: lazyScreen(() => import('./keys-screen.tsx'), 'KeysScreen'),
});

const agentsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/agents',
  component: lazyScreen(() => import('./agents-screen.tsx'), 'AgentsScreen'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyScreen(() => import('../webhooks/account-screens.tsx'), 'AccountWebhooksScreen'),
});

const webhookRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/$webhookId',
  component: lazyScreen(() => import('../webhooks/account-screens.tsx'), 'AccountWebhookScreen'),
  validateSearch: strictSearch(readWebhookSearch),
});

const deliveryRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyScreen(() => import('../webhooks/account-screens.tsx'), 'AccountDeliveryScreen'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/audit-log',
  validateSearch: strictSearch(readAuditSearch),
  component: lazyScreen(() => import('./audit-log-screen.tsx'), 'AuditLogScreen'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyScreen(() => import('./sessions-screen.tsx'), 'SessionsScreen'),
});

export const settingsRoutes = settingsRoute.addChildren([
  profileRoute,
  accountRoute,
  usersRoute,
  groupsRoute,
  keysRoute,
  agentsRoute,
  webhooksRoute,
  webhookRoute,
  deliveryRoute,
  auditLogRoute,
  sessionsRoute,
]);
