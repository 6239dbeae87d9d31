import { FIRST_ULID, type AgentScope, type Plan, type Role, type Scope } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { StoredLink } from './one-time-links.ts';

export interface AccountRecord extends StoredDocument {
  name: string;
  plan: Plan;
  createdAt: string;
  /** Days after which submissions are erased unless their form sets a value; absent: never. */
  retentionDays?: number;
  /** Set on the first account when the first start is complete. */
  bootstrappedAt?: string;
  /** Whether users need a second factor; absent: no. */
  secondFactorRequired?: boolean;
  /** Whether users log in with the identity provider only; absent: no. ADR 0062 */
  singleSignOnRequired?: boolean;
  /** The Slack channel that gets its tasks, unless their form names one; absent: none. */
  slackChannel?: string;
  /** Set while the import of the account runs or was interrupted: the checksum of the export, and its option. docs/adr/0061 */
  importing?: string;
  /** Set on the first account when it is deleted and only this record remains. ISO 8601. */
  erasedAt?: string;
}

export interface UserRecord extends StoredDocument {
  accountId: string;
  /** Lower case. Unique over all accounts, because people log in with the email alone. */
  email: string;
  name: string;
  role: Role;
  /** See `hashPassword`. */
  passwordHash: string;
  /** Whether the password was generated and printed, so that the user must replace it first. Absent: no. */
  mustChangePassword?: boolean;
  /**
   * Set while an owner is being deleted or given another role: `<time>|<random>`. Such an owner
   * doesn't count as a remaining owner; see `createOwners`.
   */
  leaving?: string;
  /** Emails to this user that aren't queued yet; see `withNotices`. */
  notices?: UserNotice[];
  /** Changes with every notice and sorts by time; absent if there is none. */
  noticesAt?: string;
  /** When the last notice about failed logins was added. ISO 8601. */
  toldOfFailuresAt?: string;
  /** Whether the user gets emails about new tasks; absent: no. */
  taskEmails?: boolean;
  /**
   * The weakest role of those who chose the email address and the password of the user, or invited the user.
   * Absent: nobody but the operator or the identity provider, or unknown, from an older version. A reset of the
   * password keeps it, because what the others connected stays.
   */
  credentialsFrom?: Role;
  /** Links that reset the password. A change of password or email removes them. */
  resets?: StoredLink[];
  /** `<issuer>|<sub>` of the identity provider; absent: the user has never logged in with it. */
  oidcSubject?: string;
  /** The connected Slack user, `T…|U…`; absent: none. ADR 0063 */
  slackUser?: string;
  /** When it was connected. ISO 8601. */
  slackLinkedAt?: string;
  /** How the session was opened that connected it; absent: with a password. */
  slackLinkedVia?: 'oidc';
  /** Two-factor authentication; absent: off. */
  totp?: {
    /** Sealed; see `totpSecretContext`. */
    secret: string;
    enabledAt: string;
    /** The time step of the last accepted code: it and earlier ones are used up. */
    lastStep: number;
  };
  /** The sealed secret of a setup that isn't confirmed. */
  totpPending?: string;
  /** When the last notice about wrong codes was added. ISO 8601. */
  toldOfCodesAt?: string;
  createdAt: string;
}

/** An invitation to an account. Accepting or revoking it deletes it. */
export interface InvitationRecord extends StoredDocument {
  accountId: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** The user or key that created it. */
  invitedBy: string;
  /** One for the inviter, and one for each attempt to send the email. */
  links: StoredLink[];
  createdAt: string;
  /** When it was last sent. Sending it again invalidates earlier links. */
  sentAt: string;
  /** When its links stop working. */
  expiresAt: string;
  /** Set until its email is queued: `sentAt`. */
  mailOwedAt?: string;
  /** When the record is deleted. Until then, it can be sent again. */
  expireAt: string;
}

/** A group of users of an account. */
export interface GroupRecord extends StoredDocument {
  accountId: string;
  name: string;
  /** `<account id>|<name in lower case>`. */
  nameKey: string;
  /** Ids of users. Those of deleted users stay, and count for nothing. */
  members: string[];
  createdAt: string;
  updatedAt: string;
}

/** An unused recovery code. Using it deletes it. */
export interface RecoveryCodeRecord extends StoredDocument {
  /** SHA-256 of the user's id and the code, hex. */
  _id: string;
  accountId: string;
  userId: string;
}

/** A login in progress at the identity provider. */
export interface OidcLoginRecord extends StoredDocument {
  /** SHA-256 of the state, hex. */
  _id: string;
  nonce: string;
  /** The PKCE verifier. */
  verifier: string;
  /** The path to open afterwards. */
  to: string;
  expireAt: string;
}

/** A Slack click that was processed, so that a replayed request has no effect. */
export interface SlackClickRecord extends StoredDocument {
  /** SHA-256 of the signature, hex. */
  _id: string;
  expireAt: string;
}

/** A login whose password was right, and which waits for a code. */
export interface LoginChallengeRecord extends StoredDocument {
  /** SHA-256 of the challenge, hex. */
  _id: string;
  accountId: string;
  userId: string;
  /** SHA-256 of the user's password hash: a new password invalidates the challenge. */
  passwordProof: string;
  expireAt: string;
}

/** A request for an email that resets a password, whether or not the address belongs to a user. */
export interface PasswordResetRecord extends StoredDocument {
  /** Lower case. */
  email: string;
  requestedAt: string;
  /** When the link of the email stops working, and the record is deleted. */
  expireAt: string;
}

/** The session of a logged-in user. */
export interface SessionRecord extends StoredDocument {
  /** SHA-256 of the token in the cookie, hex, so that a reader of the store can't use it. */
  _id: string;
  accountId: string;
  userId: string;
  createdAt: string;
  /** When the password was last entered. Absent in sessions of older versions: `createdAt`. */
  authenticatedAt?: string;
  /**
   * Rounded: see `createSessions`. Absent in sessions of older versions until their next request.
   */
  lastSeenAt?: string;
  /** The client address of the login. */
  ip?: string;
  userAgent?: string;
  /** How it was opened; absent: with a password. The identity provider checks second factors itself. */
  via?: 'oidc';
  expireAt: string;
}

/**
 * A counter of login attempts (of an account on a network, an account, or a network), or a known
 * network of an account. See `createLoginLimits`.
 */
export interface LoginFailuresRecord extends StoredDocument {
  /**
   * SHA-256 of the key, hex, so that the store has neither addresses nor emails of failed attempts.
   */
  _id: string;
  /** Attempts since the last success, including those in progress. Absent for a known network. */
  count?: number;
  /** No attempt is allowed before this time. ISO 8601. Absent for a known network. */
  nextAt?: string;
  expireAt: string;
}

export interface ApiKeyRecord extends StoredDocument {
  accountId: string;
  name: string;
  /** SHA-256 of the key, hex. */
  hash: string;
  last4: string;
  scopes: Scope[];
  expiresAt: string | null;
  /**
   * The user or key that created it; null for the operator. Absent in keys of older versions:
   * unknown.
   */
  createdBy?: string | null;
  /**
   * The user who created it, also through other keys, which may be deleted since. Absent in keys of
   * the operator and of older versions.
   */
  userId?: string;
  /**
   * Whether that user was a reviewer when they were deleted, or when the key was created after that,
   * so that the key sees no form that names reviewers. Says nothing while the user exists. Absent: no.
   */
  ofReviewer?: boolean;
  /**
   * The authority by which a key with `*` acts as an owner: the operator (first start, admin
   * command), or the id of a user, while that user is an owner. Absent: none. ADR 0024
   */
  authority?: string;
  /**
   * 2: its `keys:manage` doesn't include `users:manage`. Absent in keys of older versions, where it
   * does.
   */
  scopesVersion?: 2;
  createdAt: string;
  /** To the minute. Absent if the key wasn't used since versions that record it. */
  lastUsedAt?: string;
}

/** An agent that a user has connected: the grant behind its tokens. Deleting it cuts the agent off. */
export interface AgentRecord extends StoredDocument {
  accountId: string;
  /** Who connected it. */
  userId: string;
  clientId: string;
  /** Copied, because the registration may expire. */
  name: string;
  redirectHost: string;
  scopes: AgentScope[];
  /** The resource that the tokens are for: the URL of the MCP server. */
  resource: string;
  createdAt: string;
  /** To the minute. Absent if it was never used. */
  lastUsedAt?: string;
  expireAt: string;
}

/** An access token of an agent. */
export interface AgentTokenRecord extends StoredDocument {
  /** SHA-256 of the token, hex. */
  _id: string;
  accountId: string;
  agentId: string;
  /** The resource that it is for. */
  audience: string;
  /** Of the token: some or all of the agent's. */
  scopes: string[];
  /** What the authorization server stores with it, as JSON without the token. */
  payload: string;
  expireAt: string;
}

/** A registered program that can ask users for authorization. */
export interface OAuthClientRecord extends StoredDocument {
  /** The client id. */
  _id: string;
  /** Its registration (RFC 7591), as JSON. */
  metadata: string;
  /** Only if the id is the URL of a document: when it was fetched. ISO 8601. */
  fetchedAt?: string;
  createdAt: string;
  /** Extended by every user who connects it. */
  expireAt: string;
}

/** What the authorization server has to remember: requests in progress, codes and refresh tokens. */
export interface OAuthArtifactRecord extends StoredDocument {
  /** SHA-256 of the kind and the code, token or id, hex. */
  _id: string;
  kind: string;
  /** Absent until a user has approved. */
  accountId?: string;
  agentId?: string;
  /** JSON without the code, token or id. */
  payload: string;
  /** When a code or refresh token was used. ISO 8601. */
  consumedAt?: string;
  expireAt: string;
}

/** An email to a user about their own account. */
// A type, because interfaces aren't assignable to JSON values.
export type UserNotice = {
  kind:
    | 'password_changed'
    | 'password_reset'
    | 'email_changed'
    | 'login_failures'
    | 'totp_enabled'
    | 'totp_disabled'
    | 'recovery_code_used'
    | 'code_failures';
  /** ISO 8601. */
  at: string;
  /** The addresses at the time of the change; both if the address changed. */
  to: string[];
};

/** The user that the first start creates. */
export const FIRST_USER_ID = `usr_${FIRST_ULID}`;
/** The key that the first start creates. */
export const FIRST_KEY_ID = `key_${FIRST_ULID}`;
/** The `authority` of keys that the operator of the installation created. */
export const OPERATOR = 'operator';

export const ACCOUNTS: CollectionSpec<AccountRecord> = {
  name: 'accounts',
  indexes: [{ keys: ['-createdAt', '-_id'] }],
  cached: { by: ['_id'], volatile: [] },
};
export const USERS: CollectionSpec<UserRecord> = {
  name: 'users',
  indexes: [
    { keys: ['email'], unique: true },
    { keys: ['oidcSubject'], unique: true, sparse: true },
    { keys: ['slackUser'], unique: true, sparse: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['noticesAt'], sparse: true },
  ],
  cached: {
    by: ['_id', 'accountId'],
    volatile: ['notices', 'noticesAt', 'toldOfFailuresAt', 'toldOfCodesAt', 'resets', 'totpPending'],
  },
  wakesJobs: ['noticesAt'],
};
export const GROUPS: CollectionSpec<GroupRecord> = {
  name: 'groups',
  indexes: [{ keys: ['nameKey'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
  cached: { by: ['_id', 'accountId'], volatile: [] },
};
export const INVITATIONS: CollectionSpec<InvitationRecord> = {
  name: 'invitations',
  indexes: [
    { keys: ['accountId', 'email'], unique: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['mailOwedAt'], sparse: true },
  ],
  expireAt: 'expireAt',
  wakesJobs: ['mailOwedAt'],
};
export const RECOVERY_CODES: CollectionSpec<RecoveryCodeRecord> = {
  name: 'recovery_codes',
  indexes: [{ keys: ['userId'] }],
};
export const LOGIN_CHALLENGES: CollectionSpec<LoginChallengeRecord> = {
  name: 'login_challenges',
  indexes: [],
  expireAt: 'expireAt',
};
export const OIDC_LOGINS: CollectionSpec<OidcLoginRecord> = {
  name: 'oidc_logins',
  indexes: [],
  expireAt: 'expireAt',
};
export const SLACK_CLICKS: CollectionSpec<SlackClickRecord> = {
  name: 'slack_clicks',
  indexes: [],
  expireAt: 'expireAt',
};
export const PASSWORD_RESETS: CollectionSpec<PasswordResetRecord> = {
  name: 'password_resets',
  indexes: [{ keys: ['requestedAt'] }],
  expireAt: 'expireAt',
  wakesJobs: ['requestedAt'],
};
export const API_KEYS: CollectionSpec<ApiKeyRecord> = {
  name: 'api_keys',
  indexes: [{ keys: ['hash'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
  cached: { by: ['hash', '_id'], volatile: ['lastUsedAt'] },
};
export const SESSIONS: CollectionSpec<SessionRecord> = {
  name: 'sessions',
  indexes: [{ keys: ['userId'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: [] },
};
export const LOGIN_FAILURES: CollectionSpec<LoginFailuresRecord> = {
  name: 'login_failures',
  indexes: [],
  expireAt: 'expireAt',
};
export const AGENTS: CollectionSpec<AgentRecord> = {
  name: 'agents',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }, { keys: ['userId', '-createdAt', '-_id'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: ['lastUsedAt'] },
};
export const AGENT_TOKENS: CollectionSpec<AgentTokenRecord> = {
  name: 'agent_tokens',
  indexes: [{ keys: ['agentId'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: [] },
};
export const OAUTH_CLIENTS: CollectionSpec<OAuthClientRecord> = {
  name: 'oauth_clients',
  indexes: [],
  expireAt: 'expireAt',
};
export const OAUTH_ARTIFACTS: CollectionSpec<OAuthArtifactRecord> = {
  name: 'oauth_artifacts',
  indexes: [{ keys: ['agentId'], sparse: true }],
  expireAt: 'expireAt',
};
