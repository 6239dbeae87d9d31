import type { Collection } from '@svcforms/document-store';
import { messageWithCauses } from '@svcforms/runtime';
import { auditUser, type Reply, type RouteRequest } from '@svcforms/http';
import type { OidcLoginRecord } from '@svcforms/identity';
import { isoTime, parseUrl, type Clock } from '@svcforms/primitives';
import { hashToken } from '@svcforms/signing';
import type { IncomingHttpHeaders } from 'node:http';
import { userChanges } from '../accounts/users.ts';
import type { OpenSession } from '../accounts/open-session.ts';
import { cookieValues } from '../cookies.ts';
import { OidcError, type Claims, type OidcFailure, type Provider } from './provider.ts';
import type { createProvisionUser } from './provision-user.ts';

/** How long a login at the provider may take. */
const LOGIN_SECONDS = 600;
/** How many logins one browser can have open, such as one in each tab. */
const MAX_OPEN_LOGINS = 10;
/** Separates the states in the cookie. */
const SEPARATOR = '.';
/** Base64url. The cookie could also come from somebody else. */
const STATE = /^[\w-]{1,100}$/;

interface OidcLoginDeps {
  provider: Provider;
  provisionUser: ReturnType<typeof createProvisionUser>;
  logins: Collection<OidcLoginRecord>;
  openSession: OpenSession;
  /** The public origin. */
  baseUrl: string;
  now: Clock;
}

type StartRequest = RouteRequest<{ to?: string | undefined; prompt?: 'login' | undefined }, unknown, null>;
type CallbackRequest = RouteRequest<Record<string, string>, unknown, null>;

/** Logins with the identity provider: the way there and back. Both are pages that redirect. */
export function createOidcLogin(deps: OidcLoginDeps) {
  const { provider, provisionUser, logins, openSession, baseUrl, now } = deps;
  const isSecure = baseUrl.startsWith('https:');
  const cookieName = isSecure ? '__Host-svc_oidc' : 'svc_oidc';

  /**
   * Only paths of ours: `//example.com` and `/\example.com` are URLs of other hosts, and so is the
   * path of `/.//example.com`.
   */
  function pathOfOurs(to: string | undefined): string {
    const url = to?.startsWith('/') ? parseUrl(to, baseUrl) : null;
    if (!url || url.pathname.startsWith('//')) return '/';
    return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}${url.hash}` : '/';
  }

  /** The states of the logins that this browser began, oldest first. */
  const statesOf = (headers: IncomingHttpHeaders): string[] =>
    cookieValues(headers, cookieName)
      .flatMap((value) => value.split(SEPARATOR))
      .filter((state) => STATE.test(state));

  /** Finds the login that this browser began, and uses it up. */
  async function takeLogin(
    state: string | undefined,
    headers: IncomingHttpHeaders,
  ): Promise<OidcLoginRecord> {
    // Without the cookie, somebody else could log a victim in as themselves.
    if (state !== undefined && statesOf(headers).includes(state)) {
      const _id = hashToken(state);
      const found = await logins.findOne({ _id });
      if (found && found.expireAt > isoTime(now()) && (await logins.deleteOne({ _id }))) return found;
    }
    throw new OidcError('expired', "this browser didn't start this login, or the login has expired");
  }

  /** Sends the user to the login screen, which explains the failure. @throws any other error */
  function refused(error: unknown, note: CallbackRequest['note']): Reply {
    if (!(error instanceof OidcError)) throw error;
    const cause = error.cause instanceof Error ? messageWithCauses(error.cause) : undefined;
    note({ event: 'oidc.refused', failure: error.failure, reason: error.message, cause });
    return redirect(`/login?failure=${error.failure satisfies OidcFailure}`);
  }

  return {
    start: async ({ query, headers, note }: StartRequest): Promise<Reply> => {
      try {
        const { url, checks } = await provider.begin(query.prompt);
        const { state, nonce, verifier } = checks;
        await logins.insertOne({
          _id: hashToken(state),
          nonce,
          verifier,
          to: pathOfOurs(query.to),
          expireAt: isoTime(now() + LOGIN_SECONDS * 1000),
        });
        // A login in another tab goes on.
        const states = [...statesOf(headers), state].slice(-MAX_OPEN_LOGINS).join(SEPARATOR);
        const flags = `Path=/; Max-Age=${LOGIN_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
        return redirect(url, { 'Set-Cookie': `${cookieName}=${states}; ${flags}` });
      } catch (error) {
        return refused(error, note);
      }
    },

    callback: async (request: CallbackRequest): Promise<Reply> => {
      const { query, headers, note, recordAudit } = request;
      try {
        const { state = '' } = query;
        const { nonce, verifier, to } = await takeLogin(query['state'], headers);
        const claims = await provider.finish(new URLSearchParams(query), { state, nonce, verifier });
        const { user, newBy, before, isLinked } = await provisionUser(claims);
        const self = auditUser(user);
        const row = { accountId: user.accountId, actor: self, target: self };
        if (newBy) {
          const action = newBy === 'invitation' ? 'invitation.accepted' : 'user.created';
          await recordAudit({ ...row, action, changes: userChanges({}, user) });
        }
        if (isLinked) {
          await recordAudit({ ...row, action: 'user.updated', changes: { singleSignOn: {} } });
        }
        if (before) {
          await recordAudit({ ...row, action: 'user.role_changed', changes: userChanges(before, user) });
        }
        await recordAudit({
          ...row,
          action: 'login.succeeded',
          changes: { method: { to: 'single sign-on' } },
        });
        note({ event: 'user.logged_in', accountId: user.accountId, callerId: user._id, method: 'oidc' });
        const authenticatedAt = authenticationTime(claims, now());
        const opened = await openSession(request, user, { via: 'oidc', authenticatedAt });
        return redirect(to, opened.headers);
      } catch (error) {
        return refused(error, note);
      }
    },
  };
}

/**
 * Returns when the provider authenticated the user, in ISO 8601, if it says so: somebody who is
 * logged in there comes back without entering anything.
 * @param now in milliseconds since the epoch
 */
function authenticationTime({ auth_time: seconds }: Claims, now: number): string | undefined {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined;
  return isoTime(Math.min(seconds * 1000, now));
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    headers: {
      ...headers,
      Location: location,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
    content: { type: 'text/plain; charset=utf-8', body: '' },
  };
}
