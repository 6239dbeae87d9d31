import { OidcCallbackQuery, OidcStartQuery } from '@svcforms/contracts';
import type { Collection, DocumentStore } from '@svcforms/document-store';
import { route, type Route } from '@svcforms/http';
import {
  OIDC_LOGINS,
  type AccountRecord,
  type ApiKeyRecord,
  type InvitationRecord,
  type OidcLoginRecord,
  type PasswordHasher,
  type UserRecord,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import type { LoginParts } from '../accounts/login-parts.ts';
import type { OidcConfig } from './oidc-config.ts';
import { createOidcLogin } from './oidc-login.ts';
import { createProvider } from './provider.ts';
import { createProvisionUser } from './provision-user.ts';

interface OidcRoutesDeps extends Pick<LoginParts, 'openSession' | 'endCredentials' | 'letGo'> {
  config: OidcConfig | null;
  store: DocumentStore;
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  invitations: Collection<InvitationRecord>;
  keys: Collection<ApiKeyRecord>;
  passwords: Pick<PasswordHasher, 'hash'>;
  /** The public origin. */
  baseUrl: string;
  now: Clock;
}

/** Single sign-on. There are no routes without a provider. */
export function oidcRoutes(deps: OidcRoutesDeps): Route[] {
  const { config, store, baseUrl, now } = deps;
  if (!config) return [];
  const login = createOidcLogin({
    ...deps,
    provider: createProvider({ config, redirectUri: `${baseUrl}/api/auth/oidc/callback`, now }),
    provisionUser: createProvisionUser({ ...deps, config }),
    logins: store.collection<OidcLoginRecord>(OIDC_LOGINS),
  });
  const page = { method: 'GET', access: 'public', limit: 'public', isPage: true, status: 303 } as const;
  return [
    route({
      ...page,
      path: '/api/auth/oidc/start',
      summary: 'Log in with the identity provider',
      query: OidcStartQuery,
      handler: login.start,
    }),
    route({
      ...page,
      path: '/api/auth/oidc/callback',
      summary: 'Return from the identity provider',
      query: OidcCallbackQuery,
      handler: login.callback,
    }),
  ];
}
