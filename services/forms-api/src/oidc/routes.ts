import { OidcCallbackQuery, OidcStartQuery } from '@svcforms/contracts';
import type { Collection, DocumentStore } from '@svcforms/document-store';
import { route, type Route } from '@svcforms/http';
import {
  createOwners,
  createSessions,
  OIDC_LOGINS,
  type AccountRecord,
  type ApiKeyRecord,
  type InvitationRecord,
  type OidcLoginRecord,
  type PasswordHasher,
  type UserRecord,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { createEndCredentials } from '../accounts/end-credentials.ts';
import { createDescribeMe, createOpenSession } from '../accounts/open-session.ts';
import type { OidcConfig } from './oidc-config.ts';
import { createOidcLogin } from './oidc-login.ts';
import { createProvider } from './provider.ts';
import { createProvisionUser } from './provision-user.ts';

interface OidcRoutesDeps {
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
  const sessions = createSessions({ store, now });
  const login = createOidcLogin({
    ...deps,
    provider: createProvider({ config, redirectUri: `${baseUrl}/api/auth/oidc/callback`, now }),
    provisionUser: createProvisionUser({
      ...deps,
      config,
      endCredentials: createEndCredentials({ store, sessions }),
      letGo: createOwners({ ...deps, issuer: config.issuer }),
    }),
    logins: store.collection<OidcLoginRecord>(OIDC_LOGINS),
    openSession: createOpenSession({ ...deps, sessions, describeMe: createDescribeMe(deps) }),
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
