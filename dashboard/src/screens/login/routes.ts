import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { strictSearch } from '../../navigation/strict-search.ts';
import { rootRoute } from '../../shell/shell-route.ts';

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('./login-screen.tsx'), 'LoginScreen'),
  validateSearch: strictSearch(({ to, failure }): { to?: string; failure?: string } => ({
    ...(isPathOfOurs(to) ? { to } : {}),
    ...(typeof failure === 'string' ? { failure } : {}),
  })),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-screen.tsx'), 'ResetPasswordScreen'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation-screen.tsx'), 'InvitationScreen'),
});

/** The screens without a login. */
export const loginRoutes = [loginRoute, forgotPasswordRoute, resetPasswordRoute, invitationRoute] as const;

/** `//example.com` and `/\example.com` are URLs of other hosts. */
function isPathOfOurs(to: unknown): to is string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to);
}
