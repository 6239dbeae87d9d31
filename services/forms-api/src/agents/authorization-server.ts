import { AGENT_SCOPES, isAgentScope, LEAST_AGENT_SCOPES } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { OAUTH_TOKEN_PREFIXES, type UserRecord } from '@svcforms/identity';
import { parseUrl, type Logger } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type * as Library from 'oidc-provider';
import type { ErrorParameters, Provider, ProviderContext } from 'oidc-provider';
import { MESSAGE_HEADERS } from '../pages/message-page.ts';
import { readSubject } from './artifacts.ts';
import { CONSENTS, mcpUrl, OAUTH_PATHS } from './metadata.ts';
import { refusedAgentPage } from './refused-agent-page.ts';
import { isOwnComputer } from './registration.ts';
import { AGENT_IDLE_MS, createStoreAdapter, type AdapterDeps } from './store-adapter.ts';

const ACCESS_TOKEN_SECONDS = 3600;
const CODE_SECONDS = 60;
/** Long enough to log in first, with a code from a phone. */
const REQUEST_SECONDS = 15 * 60;

/** Binds a request to the browser that began it. Sent only to the paths of that request. */
export const REQUEST_COOKIE = 'svc_oauth';
const SESSION_COOKIE = 'svc_oauth_session';

/** The body of a request, and how its URL changes. */
interface Given {
  rewrite?: (url: string) => string;
  body: Buffer;
}

interface ServerDeps extends Omit<AdapterDeps, 'usedTwice'> {
  users: Pick<Collection<UserRecord>, 'findOne'>;
  /** The public origin, which is the issuer. */
  baseUrl: string;
  log: Pick<Logger, 'error'>;
}

/**
 * The OAuth authorization server: the protocol is oidc-provider's. It is loaded by the first
 * request, so an installation without agents has none of it in memory. ADR 0076
 */
export function createAuthorizationServer(deps: ServerDeps) {
  const { baseUrl } = deps;
  const { protocol, host } = new URL(baseUrl);
  let loading: ReturnType<typeof load> | undefined;

  async function load() {
    const library = await import('oidc-provider');
    return createProvider(library, deps).callback();
  }

  /**
   * The request as the library must see it: from the public origin, with our values, and unread.
   */
  function asSeen(request: IncomingMessage, { rewrite = (url) => url, body }: Given): IncomingMessage {
    const unread = new Readable({ read() {} });
    unread.push(body);
    unread.push(null);
    const { 'x-forwarded-host': _host, ...headers } = request.headers;
    const { method, httpVersion, httpVersionMajor, httpVersionMinor, socket } = request;
    return Object.assign(unread, {
      method,
      httpVersion,
      httpVersionMajor,
      httpVersionMinor,
      socket,
      url: rewrite(request.url ?? '/'),
      headers: {
        ...headers,
        host,
        'x-forwarded-proto': protocol.replace(':', ''),
        ...(body.length > 0 ? { 'content-length': String(body.length) } : {}),
      },
    }) as unknown as IncomingMessage;
  }

  return {
    /** Responds to a request of a client or a browser. */
    async respond(
      { request, response }: { request: IncomingMessage; response: ServerResponse },
      given: Given,
    ): Promise<void> {
      loading ??= load();
      const serve = await loading.catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      await serve(asSeen(request, given), response);
    },
    /** Loads the library, so that a failure to load it is a failure of the request. */
    async ready(): Promise<void> {
      loading ??= load();
      await loading;
    },
  };
}

/**
 * The URL of an authorization request, with defaults: the least scopes, and the only way to respond
 * that we support. `offline_access` means a refresh token, which every agent gets.
 */
export function authorizationUrl(url: string): string {
  const [path = '', ...search] = url.split('?');
  const params = new URLSearchParams(search.join('?'));
  params.delete('response_mode');
  const wanted = params.getAll('scope');
  if (wanted.length <= 1) {
    const scopes = (wanted[0] ?? '').split(' ').filter((scope) => scope !== '' && scope !== 'offline_access');
    params.set('scope', (scopes.length === 0 ? LEAST_AGENT_SCOPES : scopes).join(' '));
  }
  return `${path}?${params.toString()}`;
}

/** What doesn't depend on the installation. */
const SETTINGS = {
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  clientAuthMethods: ['none'],
  responseTypes: ['code'],
  scopes: [],
  claims: {},
  pkce: { methods: ['S256'], required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  expiresWithSession: async () => false,
  clientBasedCORS: () => true,
  allowOmittingSingleRegisteredRedirectUri: false,
  ttl: {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    RefreshToken: AGENT_IDLE_MS / 1000,
    Grant: AGENT_IDLE_MS / 1000,
    Interaction: REQUEST_SECONDS,
    Session: REQUEST_SECONDS,
  },
} as const;
const FEATURES = {
  devInteractions: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  requestObjects: { request: false, requestUri: false },
  pushedAuthorizationRequests: { enabled: false },
  claimsParameter: { enabled: false },
  dPoP: { enabled: false },
  registration: {
    enabled: true,
    idFactory: () => generateToken('svc_cli_'),
    issueRegistrationAccessToken: false,
  },
  revocation: { enabled: true },
} as const;

/** Each request asks the user: no login and no consent is remembered. */
function policyOf({ Check, Prompt }: typeof Library.interactionPolicy) {
  return [
    new Prompt(
      { name: 'login', requestable: true },
      new Check('no_user', 'a user must log in', 'login_required', ({ oidc }) => !oidc.session?.accountId),
    ),
    new Prompt(
      { name: 'consent', requestable: true },
      new Check(
        'no_consent',
        'a user must approve',
        'consent_required',
        ({ oidc }) => !oidc.result?.consent?.grantId,
      ),
    ),
  ];
}

function createProvider(
  { Provider, errors, interactionPolicy }: typeof Library,
  { users, baseUrl, log, ...stored }: ServerDeps,
): Provider {
  const resource = mcpUrl(baseUrl);
  const isSecure = baseUrl.startsWith('https:');

  const provider = new Provider(baseUrl, {
    adapter: createStoreAdapter({
      ...stored,
      usedTwice: () => new errors.InvalidGrant('the code or token was used twice'),
    }),
    routes: { ...OAUTH_PATHS, jwks: '/api/oauth/jwks', end_session: '/api/oauth/end' },
    // Nothing is signed, but the library wants a key.
    jwks: {
      keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
    },
    ...SETTINGS,
    cookies: {
      names: { session: SESSION_COOKIE, interaction: REQUEST_COOKIE, resume: 'svc_oauth_resume' },
      long: { httpOnly: true, sameSite: 'lax', secure: isSecure },
      short: { httpOnly: true, sameSite: 'lax', secure: isSecure },
      // The values are random ids that the path has too, so a signature would add nothing.
      keys: null,
    },
    features: {
      ...FEATURES,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo(ctx: ProviderContext, wanted: string) {
          if (wanted !== resource) throw new errors.InvalidTarget(`the only resource is ${resource}`);
          refuseScopes(ctx, errors);
          return {
            scope: AGENT_SCOPES.join(' '),
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
          };
        },
      },
    },
    interactions: {
      url: (_ctx: ProviderContext, { uid }: { uid: string }) => `${CONSENTS}/${uid}`,
      policy: policyOf(interactionPolicy),
    },
    loadExistingGrant: async ({ oidc }: ProviderContext) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    async findAccount(_ctx: ProviderContext, subject: string) {
      const { accountId, userId } = readSubject(subject);
      const user = await users.findOne({ _id: userId, accountId });
      return user ? { accountId: subject, claims: () => ({ sub: subject }) } : undefined;
    },
    renderError: showError,
  });

  // Every request comes from `asSeen`, which sets the headers of the public origin itself.
  provider.proxy = true;
  for (const kind of ['AccessToken', 'RefreshToken'] as const) {
    const { prototype } = provider[kind];
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its token
    const { generateTokenId } = prototype;
    prototype.generateTokenId = function withPrefix() {
      // It also chooses the format of the token.
      generateTokenId.call(this);
      return generateToken(OAUTH_TOKEN_PREFIXES[kind]);
    };
  }
  requireExactRedirectUris(provider);
  // Our own sessions say who is logged in. Another session in the browser would only outlive them.
  provider.use(async ({ res }, next) => {
    await next();
    const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String);
    const kept = cookies.filter((cookie) => !cookie.startsWith(`${SESSION_COOKIE}=`));
    if (kept.length < cookies.length) res.setHeader('set-cookie', kept);
  });
  // Anybody can register a client. If errors redirected before a user decides, a client could send
  // people from our origin to any page. They get a link instead.
  provider.on('authorization.error', (ctx, error) => {
    if (ctx.oidc.route === 'resume') return;
    const uri = redirectUriOf(ctx);
    if (uri === undefined || !isOwnComputer(uri)) error.allow_redirect = false;
  });
  provider.on('server_error', (_ctx, error) =>
    log.error({ event: 'oauth.failed', err: error }, 'a request to the authorization server failed'),
  );
  return provider;
}

/**
 * The library compares parsed URLs, so it allows others that mean the same. OAuth 2.1 requires an
 * exact match, except for the port of the user's own computer.
 */
function requireExactRedirectUris({ Client: { prototype } }: Provider): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its client
  const { redirectUriAllowed } = prototype;
  prototype.redirectUriAllowed = function exactly(uri) {
    if (this.redirectUris.includes(uri)) return true;
    return isNormalized(uri) && redirectUriAllowed.call(this, uri);
  };
}

/**
 * Whether the URI is written as URL parsers write it. An empty path and, on the user's own
 * computer, port 80 are allowed.
 */
function isNormalized(uri: string): boolean {
  const text = uri.replace(/^(http:\/\/[^/?]+):80\b/, '$1');
  const href = parseUrl(uri)?.href;
  return href === text || href === `${text}/`;
}

/** The redirect URI of an authorization request, if its client has registered it. */
function redirectUriOf({ oidc }: ProviderContext): string | undefined {
  const uri = oidc.params?.['redirect_uri'];
  return typeof uri === 'string' && oidc.client?.redirectUriAllowed(uri) ? uri : undefined;
}

/** Shows the error of a request, with a link that brings it to the client. */
async function showError(ctx: ProviderContext, out: ErrorParameters): Promise<void> {
  const { error, error_description: description } = out;
  const reason = description === undefined ? error : `${error}: ${description}`;
  const uri = redirectUriOf(ctx);
  const back = uri === undefined ? null : new URL(uri);
  for (const [name, value] of Object.entries(out)) back?.searchParams.set(name, value);
  // The library gives some errors the status of a redirect.
  ctx.status = Math.max(ctx.status, 400);
  ctx.type = 'text/html; charset=utf-8';
  ctx.set(MESSAGE_HEADERS);
  ctx.body = refusedAgentPage(
    reason,
    back && { href: back.href, text: `Return to the agent at ${back.host}` },
  );
}

/**
 * Refuses a scope that can't be granted, instead of leaving it out: an agent that asks for
 * decisions must not believe that it got them. @throws InvalidScope
 */
function refuseScopes({ oidc }: ProviderContext, errors: typeof Library.errors): void {
  const { scope } = oidc.params ?? {};
  const refused = (typeof scope === 'string' ? scope : '')
    .split(' ')
    .find((one) => one !== '' && !isAgentScope(one));
  if (refused !== undefined) throw new errors.InvalidScope('no agent can have this scope', refused);
}
