import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import { strictSearch } from '../../navigation/strict-search.ts';
import { rootRoute } from '../../shell/shell-route.ts';

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: lazyScreen(() => import('./login-screen.tsx'), 'LoginScreen'),
  validateSearch: strictSearch(({ to, failure }): { to?: string; failure?: string } => ({
    ...(isPathOfOurs(to) ? { to } : {}),
    ...(typeof failure === 'string' ? { failure } : {}),
  })),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyScreen(() => import('./forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyScreen(() => import('./reset-password-screen.tsx'), 'ResetPasswordScreen'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyScreen(() => import('./invitation-screen.tsx'), 'InvitationScreen'),
});

/** The screens without a login. */
export const loginRoutes = [loginRoute, forgotPasswordRoute, resetPasswordRoute, invitationRoute] as const;

/** `//example.com` and `/\example.com` are URLs of other hosts. */
function isPathOfOurs(to: unknown): to is string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to);
}
