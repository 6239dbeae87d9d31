import type { DocumentStore } from '@svcforms/document-store';
import type { Route } from '@svcforms/http';
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
import { authRoutes } from './auth-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { createInvitations } from './invitations.ts';
import { keyRoutes } from './key-routes.ts';
import { createKeys } from './keys.ts';
import { createCheckPassword, createUserOf } from './check-password.ts';
import type { LoginParts } from './login-parts.ts';
import { createLogins } from './login.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { createForgottenPasswords } from './password-resets.ts';
import { createProfile } from './profile.ts';
import { createOwnSessions } from './sessions.ts';
import { createLoginPolicy } from './login-policy.ts';
import { createCheckPasswordAllowed, type SingleSignOn } from './single-sign-on.ts';
import { createSlackConnections } from './slack-connections.ts';
import { createSlackTest } from './slack-test.ts';
import { createOwnTotp } from './totp.ts';
import { totpRoutes } from './totp-routes.ts';
import { userRoutes } from './user-routes.ts';
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
  const resets = createPasswordResets({ store, now });
  const slackConnections = createSlackConnections({ ...deps, userOf });
  const hasSlack = slackConnections.isAvailableTo;
  const chain = createChainFinder({ store });
  return [
    ...authRoutes({
      logins,
      profile: createProfile({ ...deps, ...checks }),
      ownSessions: createOwnSessions(deps),
      slackConnections,
    }),
    ...ownAccountRoutes({
      account: createAccount({ ...deps, hasSlack }),
      slackTest: createSlackTest({ ...deps, hasSlack }),
    }),
    ...userRoutes({ users: createUsers({ ...deps, chain, rights }) }),
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
    ...keyRoutes({ keys: createKeys({ ...deps, rights, chain }) }),
  ];
}
