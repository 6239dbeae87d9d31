import type { Role } from '@svcforms/contracts';
import { createSessions, USERS, type UserRecord } from '@svcforms/identity';
import type { OidcConfig } from '../src/oidc/oidc-config.ts';
import { BASE_URL, type openFormsApi } from './fixture.ts';
import { addUser } from './users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

const ISSUER = 'https://id.example';

/** The settings of an identity provider that no test needs to reach. */
export const oidcOf = (api: Pick<Api, 'accountId'>): OidcConfig => ({
  issuer: ISSUER,
  clientId: 'svcforms',
  scopes: 'openid email',
  roleMap: new Map(),
  accountId: api.accountId,
});

/**
 * Stores a user who has logged in with the identity provider, and returns the headers of their
 * browser.
 */
export async function addOidcUser(api: Api, role: Role, issuer = ISSUER) {
  const user = await addUser(api, role);
  await api.store
    .collection<UserRecord>(USERS)
    .updateOne({ _id: user._id }, { $set: { oidcSubject: `${issuer}|${user._id}` } });
  return { user, headers: await oidcCookieOf(api, user) };
}

/** Opens the session that a login with the identity provider opens. */
export async function oidcCookieOf(api: Api, user: UserRecord): Promise<{ cookie: string }> {
  const sessions = createSessions({ store: api.store, now: () => api.clock.now });
  const { token } = await sessions.open(user, { via: 'oidc' });
  return { cookie: `${BASE_URL.startsWith('https') ? '__Host-' : ''}svc_session=${token}` };
}
