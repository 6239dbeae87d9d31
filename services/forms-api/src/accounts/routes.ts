import {
  AccountOut,
  AccountPatch,
  KeyCreatedOut,
  KeyIn,
  KeyOut,
  LoginIn,
  MeOut,
  MePatch,
  PageQuery,
  ReauthenticateIn,
  SessionsOut,
  SlackConnectIn,
  SlackConnectionOut,
  SlackTestOut,
  UserIn,
  UserOut,
  UserPatch,
} from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { route, type Route } from '@svcforms/http';
import {
  createChainFinder,
  createLogin,
  createSecondStep,
  createTotp,
  createPasswordResets,
  createRights,
  type PasswordHasher,
} from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import type { Clock } from '@svcforms/primitives';
import type { SecretBox } from '@svcforms/signing';
import type { SlackConfig } from '@svcforms/slack';
import type { Collections } from '../collections.ts';
import { createAcceptInvitation } from './accept-invitation.ts';
import { createAccount } from './account.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { createInvitations } from './invitations.ts';
import { createKeys } from './keys.ts';
import { createCheckPassword, createUserOf } from './check-password.ts';
import type { LoginParts } from './login-parts.ts';
import { createLogins } from './login.ts';
import { createForgottenPasswords } from './password-resets.ts';
import { createProfile } from './profile.ts';
import { createOwnSessions } from './sessions.ts';
import { createLoginPolicy } from './login-policy.ts';
import { createCheckPasswordAllowed, type SingleSignOn } from './single-sign-on.ts';
import { createSlackConnections } from './slack-connections.ts';
import { createSlackTest } from './slack-test.ts';
import { createOwnTotp } from './totp.ts';
import { totpRoutes } from './totp-routes.ts';
import { createUsers } from './users.ts';

interface AccountRoutesDeps extends LoginParts {
  /** Holds the sessions and the failed logins. */
  store: DocumentStore;
  collections: Pick<Collections, 'accounts' | 'users' | 'keys' | 'invitations' | 'mailCounters'>;
  passwords: PasswordHasher;
  /** Seals the secrets of authenticator apps. */
  secretBox: SecretBox;
  /** The public origin. */
  baseUrl: string;
  /** Whether this installation sends email. */
  sendsEmail: boolean;
  /** The identity provider; `null` without one. */
  singleSignOn: SingleSignOn | null;
  /** The Slack app; `null` without one. */
  slack: SlackConfig | null;
  client: Pick<GuardedClient, 'post'>;
  now: Clock;
}

const manageKeys = { scope: 'keys:manage' } as const;
const manageUsers = { scope: 'users:manage' } as const;

/** Login and sessions, the account, its users and its API keys. */
export function accountRoutes({ collections, ...others }: AccountRoutesDeps): Route[] {
  const deps = { ...collections, ...others };
  const { store, users, passwords, now } = deps;
  const rights = createRights({ users });
  const login = createLogin({ store, passwords, now });
  const totp = createTotp(deps);
  const secondStep = createSecondStep({ store, totp, now });
  const userOf = createUserOf(users);
  const checkPassword = createCheckPassword(login);
  const checkPasswordAllowed = createCheckPasswordAllowed(deps);
  const checks = { checkPassword, checkPasswordAllowed, userOf };
  const logins = createLogins({ ...deps, ...checks, secondStep, login });
  const profile = createProfile({ ...deps, ...checks });
  const resets = createPasswordResets({ store, now });
  const ownSessions = createOwnSessions(deps);
  const slackConnections = createSlackConnections({ ...deps, userOf });
  const hasSlack = slackConnections.isAvailableTo;
  const account = createAccount({ ...deps, hasSlack });
  const chain = createChainFinder({ store });
  const userHandlers = createUsers({ ...deps, chain, rights });
  const keys = createKeys({ ...deps, rights, chain });
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

    route({ method: 'GET', path: '/api/account', summary: 'Get the account', access: { scope: 'forms:read' },
      status: 200, response: AccountOut, handler: account.get }),
    route({ method: 'PATCH', path: '/api/account', summary: 'Update the account', operationId: 'changeAccount', access: { scope: 'forms:write', allForms: true },
      body: AccountPatch, status: 200, response: AccountOut, audit: 'account.updated', handler: account.change }),
    route({ method: 'POST', path: '/api/account/slack/test', summary: 'Send a test message to Slack', operationId: 'testSlack', access: { scope: 'forms:write', allForms: true },
      description: 'Posts a message to the Slack channel of the account. If Slack refuses it, the response is 409 with the reason.',
      status: 200, response: SlackTestOut, errors: ['CONFLICT'], audit: 'account.slack_tested', handler: createSlackTest({ ...deps, hasSlack }) }),

    route({ method: 'POST', path: '/api/users', summary: 'Create a user', access: manageUsers, needsRecentLogin: true,
      body: UserIn, status: 201, response: UserOut, idempotent: true, errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'user.created', handler: userHandlers.create }),
    route({ method: 'GET', path: '/api/users', summary: 'List users', operationId: 'listUsers', access: manageUsers,
      query: PageQuery, status: 200, response: UserOut, handler: userHandlers.list }),
    route({ method: 'PATCH', path: '/api/users/:userId', summary: 'Update a user', operationId: 'changeUser', access: manageUsers, needsRecentLogin: true,
      description: 'Only owners can update owners. To change your own email or password, call PATCH /api/auth/me.',
      body: UserPatch, status: 200, response: UserOut, errors: ['CONFLICT'], audit: 'user.updated', handler: userHandlers.change }),
    route({ method: 'DELETE', path: '/api/users/:userId', summary: 'Delete a user and end their sessions', operationId: 'deleteUser', access: manageUsers, needsRecentLogin: true,
      status: 204, errors: ['CONFLICT'], audit: 'user.deleted', handler: userHandlers.remove }),

    ...totpRoutes({
      logins,
      ownTotp: createOwnTotp({ ...deps, ...checks, totp }),
      policy: createLoginPolicy({ ...deps, rights }),
    }),
    ...invitationRoutes({
      invitations: createInvitations({ ...deps, rights }),
      accepting: createAcceptInvitation({ ...deps, ...checks }),
      forgotten: createForgottenPasswords({ ...deps, ...checks, resets }),
    }),

    route({ method: 'POST', path: '/api/keys', summary: 'Create an API key', operationId: 'createKey', access: manageKeys, needsRecentLogin: true,
      body: KeyIn, status: 201, response: KeyCreatedOut, idempotent: true, replyHeaders: ['Location'], audit: 'key.created', handler: keys.create }),
    route({ method: 'GET', path: '/api/keys', summary: 'List API keys', operationId: 'listKeys', access: manageKeys,
      query: PageQuery, status: 200, response: KeyOut, handler: keys.list }),
    route({ method: 'DELETE', path: '/api/keys/:keyId', summary: 'Delete an API key', operationId: 'deleteKey', access: manageKeys,
      status: 204, audit: 'key.deleted', handler: keys.remove }),
  ];
}
