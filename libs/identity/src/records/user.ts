import { FIRST_ULID, type Role } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { StoredLink } from '../one-time-links.ts';

export interface UserRecord extends StoredDocument {
  accountId: string;
  /** Lower case. Unique over all accounts, because people log in with the email alone. */
  email: string;
  name: string;
  role: Role;
  /** See `PasswordHasher`. */
  passwordHash: string;
  /**
   * Whether the password was generated and printed, so that the user must replace it first. Absent:
   * no.
   */
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
   * The weakest role of those who chose the email address and the password of the user, or invited
   * the user. Absent: nobody but the operator or the identity provider, or unknown, from an older
   * version. A reset of the password keeps it, because what the others connected stays.
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
