import type { RouterContext } from '@koa/router';
import { AppError, LEAST_AGENT_SCOPES } from '@svcforms/contracts';
import { hasScope, isAgentToken, type Caller } from '@svcforms/identity';
import { checkSameOrigin } from './same-origin.ts';
import { requireRecentLogin } from './recent-login.ts';
import type { Clock } from '@svcforms/primitives';
import { sessionCookieName } from './session-cookie.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { RequestState } from '../routes/request-state.ts';
import type { Access, Route } from '../routes/route.ts';

type Context = RouterContext<RequestState>;

export interface AuthorizeDeps {
  /** Returns the caller of an API key, `null` for an invalid one. */
  authenticate: (key: string) => Promise<Caller | null>;
  /** Returns the caller of an access token of an agent, `null` for an invalid one. */
  authenticateAgent: (token: string) => Promise<Caller | null>;
  /** Returns the caller of a session, by the token in its cookie. */
  authenticateSession: (token: string) => Promise<Caller | null>;
  rateLimits: Pick<RateLimits, 'key'>;
  /** The public origin. */
  baseUrl: string;
  now?: Clock;
}

const LOG_IN = "Log in with POST /api/auth/login. API keys can't make this call.";

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Returns the caller if the route allows them. A key in `Authorization` takes precedence over a
 * session cookie. Browsers send cookies on their own, so a cookie counts only from our own pages.
 * Forbidden requests count against the rate limit too. docs/reference/authentication.md#scopes
 * @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`, `INSUFFICIENT_SCOPE`, `ORIGIN_NOT_ALLOWED`,
 * `REAUTHENTICATION_REQUIRED`, `PASSWORD_CHANGE_REQUIRED`
 */
export async function authorize(
  ctx: Context,
  {
    access,
    sameOrigin,
    needsRecentLogin,
    beforePasswordChange,
    takesAgents = false,
  }: Pick<Route, 'access' | 'sameOrigin' | 'needsRecentLogin' | 'beforePasswordChange' | 'takesAgents'>,
  deps: AuthorizeDeps,
): Promise<Caller | null> {
  if (sameOrigin) checkSameOrigin(ctx, deps.baseUrl);
  if (access === 'public') return null;
  const caller = await callerOf(ctx, takesAgents, deps);
  if (!caller) {
    const what =
      access === 'session' ? LOG_IN : 'Send a valid API key as "Authorization: Bearer svc_key_…", or log in.';
    const challenge = takesAgents ? agentChallenge(ctx, deps.baseUrl) : 'Bearer';
    throw new AppError('UNAUTHORIZED', what, { headers: { 'WWW-Authenticate': challenge } });
  }
  Object.assign(ctx.state.logFields, { accountId: caller.accountId, callerId: caller.id });
  ctx.set(await deps.rateLimits.key(caller.id));
  if (caller.session && !SAFE_METHODS.includes(ctx.method)) checkSameOrigin(ctx, deps.baseUrl);
  if (caller.session?.mustChangePassword && !beforePasswordChange) {
    throw new AppError(
      'PASSWORD_CHANGE_REQUIRED',
      'Your password was generated. Change it with PATCH /api/auth/me, then repeat the call.',
    );
  }
  if (access === 'session' && !caller.session) {
    throw new AppError('INSUFFICIENT_SCOPE', LOG_IN, { members: { requiredScope: 'session' } });
  }
  if (typeof access === 'object' && caller.session?.mustSetUpTotp) {
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'Your account requires two-factor authentication. Set it up with POST /api/auth/totp first.',
      { members: { requiredScope: access.scope } },
    );
  }
  if (typeof access === 'object' && !mayCall(caller, access)) {
    const who = caller.session ? `the role ${caller.session.role}` : 'the API key';
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      `This call requires the scope ${access.scope}, which ${who} doesn't have`,
      { members: { requiredScope: access.scope } },
    );
  }
  if (typeof access === 'object' && access.allForms && caller.memberOf) {
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'This call concerns every form of the account, and reviewers and their API keys may see only some',
      { members: { requiredScope: access.scope } },
    );
  }
  if (needsRecentLogin) requireRecentLogin(caller, (deps.now ?? Date.now)());
  return caller;
}

function mayCall(caller: Caller, { scope, orScope }: Exclude<Access, string>): boolean {
  return hasScope(caller, scope) || (orScope !== undefined && hasScope(caller, orScope));
}

async function callerOf(ctx: Context, takesAgents: boolean, deps: AuthorizeDeps): Promise<Caller | null> {
  const authorization = ctx.get('Authorization');
  if (authorization) {
    const [, token] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (!token) return null;
    if (!isAgentToken(token)) return deps.authenticate(token);
    // A grant is for the MCP server and nothing else, whatever its scopes.
    return takesAgents ? deps.authenticateAgent(token) : null;
  }
  const token = ctx.cookies.get(sessionCookieName(deps.baseUrl));
  return token ? deps.authenticateSession(token) : null;
}

/** Tells an MCP client where to begin its authorization (RFC 9728), and what scopes to request. */
function agentChallenge(ctx: Context, baseUrl: string): string {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${ctx.path}"`;
  const scope = `scope="${LEAST_AGENT_SCOPES.join(' ')}"`;
  // RFC 6750: a request without credentials gets no error.
  const error = ctx.get('Authorization') ? 'error="invalid_token", ' : '';
  return `Bearer ${error}${metadata}, ${scope}`;
}
