import {
  LoginIn,
  MeOut,
  MePatch,
  ReauthenticateIn,
  SessionsOut,
  SlackConnectIn,
  SlackConnectionOut,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import type { createLogins } from './login.ts';
import type { createProfile } from './profile.ts';
import type { createOwnSessions } from './sessions.ts';
import type { createSlackConnections } from './slack-connections.ts';

interface AuthRoutesDeps {
  logins: Pick<ReturnType<typeof createLogins>, 'login' | 'logout' | 'reauthenticate'>;
  profile: ReturnType<typeof createProfile>;
  ownSessions: ReturnType<typeof createOwnSessions>;
  slackConnections: Pick<ReturnType<typeof createSlackConnections>, 'get' | 'connect' | 'disconnect'>;
}

/** The login of a user, their sessions, their own data and their Slack connection. */
export function authRoutes({ logins, profile, ownSessions, slackConnections }: AuthRoutesDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/auth/login', summary: 'Log in', access: 'public', sameOrigin: true,
      body: LoginIn, status: 200, response: MeOut, errors: ['UNAUTHORIZED', 'SECOND_FACTOR_REQUIRED', 'SINGLE_SIGN_ON_REQUIRED', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED'], replyHeaders: ['Set-Cookie'],
      audit: 'login.succeeded', handler: logins.login }),
    route({ method: 'POST', path: '/api/auth/logout', summary: 'Log out', access: 'session', beforePasswordChange: true,
      status: 204, replyHeaders: ['Set-Cookie'], audit: 'session.ended', handler: logins.logout }),
    route({ method: 'GET', path: '/api/auth/me', summary: 'Get the current user', operationId: 'getMe', access: 'session', beforePasswordChange: true,
      status: 200, response: MeOut, handler: profile.me }),
    route({ method: 'PATCH', path: '/api/auth/me', summary: 'Update the current user', operationId: 'changeMe', access: 'session', beforePasswordChange: true,
      body: MePatch, status: 200, response: MeOut, errors: ['CONFLICT', 'PASSWORD_CHANGE_REQUIRED', 'REAUTHENTICATION_REQUIRED', 'SINGLE_SIGN_ON_REQUIRED'], audit: 'user.updated', handler: profile.changeMe }),
    route({ method: 'POST', path: '/api/auth/reauthenticate', summary: 'Confirm the password', operationId: 'reauthenticate', access: 'session',
      description: 'Required for calls that need a login from the last 10 minutes. Wrong passwords count as failed logins.',
      body: ReauthenticateIn, status: 204, errors: ['SINGLE_SIGN_ON_REQUIRED'], audit: 'session.reauthenticated', handler: logins.reauthenticate }),
    route({ method: 'GET', path: '/api/auth/sessions', summary: 'List your sessions', operationId: 'listSessions', access: 'session',
      status: 200, response: SessionsOut, handler: ownSessions.list }),
    route({ method: 'DELETE', path: '/api/auth/sessions', summary: 'End all your sessions', operationId: 'endAllSessions', access: 'session',
      description: 'Ends all sessions of the user, including the current one.',
      status: 204, replyHeaders: ['Set-Cookie'], audit: 'session.ended', handler: ownSessions.endAll }),
    route({ method: 'DELETE', path: '/api/auth/sessions/:sessionId', summary: 'End one of your sessions', operationId: 'endSession', access: 'session',
      status: 204, audit: 'session.ended', handler: ownSessions.end }),

    route({ method: 'GET', path: '/api/auth/slack', summary: 'Get your Slack connection', operationId: 'getSlackConnection', access: 'session',
      status: 200, response: SlackConnectionOut, handler: slackConnections.get }),
    route({ method: 'POST', path: '/api/auth/slack', summary: 'Connect your Slack user', operationId: 'connectSlack', access: 'session', needsRecentLogin: true,
      description: 'With the token of the link that a click in Slack gave you. Your Slack user must have your email address.',
      body: SlackConnectIn, status: 200, response: SlackConnectionOut, errors: ['CONFLICT'], audit: 'user.slack_connected', handler: slackConnections.connect }),
    route({ method: 'DELETE', path: '/api/auth/slack', summary: 'Disconnect your Slack user', operationId: 'disconnectSlack', access: 'session',
      status: 204, audit: 'user.slack_disconnected', handler: slackConnections.disconnect }),
  ];
}
