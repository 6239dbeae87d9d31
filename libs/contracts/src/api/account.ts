import { z } from 'zod';
import { SCOPES } from './api-key.ts';
import { idOut, retentionDays, timeOrNullOut, timeOut, visibleName } from './schema-parts.ts';
import { slackChannel } from './slack.ts';
import { isEmail } from './text-formats.ts';
import { MIN_PASSWORD_LENGTH } from './password-length.ts';

export const PLANS = ['free', 'starter', 'pro', 'business'] as const;
export type Plan = (typeof PLANS)[number];

export const ROLES = ['owner', 'admin', 'reviewer'] as const;
export type Role = (typeof ROLES)[number];

/** An account, which owns forms. See docs/reference/authentication.md#accounts. */
export const AccountOut = z
  .object({
    id: idOut('acc', 'Id of the account.'),
    name: z.string().meta({ description: 'Name of the account.', example: 'Analytical Engines Ltd' }),
    plan: z.enum(PLANS).meta({ description: 'Plan of the account.', example: 'business' }),
    retentionDays: retentionDays(
      'Days after which submissions are erased unless their form sets its own period.',
    )
      .nullable()
      .meta({ description: 'Days after which submissions are erased; null means never.', example: 90 }),
    secondFactorRequired: z.boolean().meta({
      description: 'Whether users need two-factor authentication.',
      example: false,
    }),
    singleSignOnRequired: z.boolean().meta({
      description: 'Whether users log in with the identity provider only.',
      example: false,
    }),
    slackChannel: slackChannel.nullable().meta({
      description: 'Slack channel that gets new tasks, unless their form names one; null means none.',
      example: 'C0123456789',
    }),
    createdAt: timeOut('When the account was created.'),
  })
  .meta({ id: 'Account', description: 'An account, which owns forms.' });
export type AccountOut = z.output<typeof AccountOut>;

/** Request body of PATCH /api/account. Absent properties stay unchanged. */
export const AccountPatch = z
  .strictObject({
    retentionDays: retentionDays('Days after which submissions are erased.')
      .nullable()
      .meta({
        description:
          'Days after which submissions and resolved tasks are erased, unless their form has `settings.retentionDays`; null means never.',
        example: 90,
      })
      .optional(),
    slackChannel: slackChannel
      .nullable()
      .meta({
        description:
          'Id of the Slack channel that gets new tasks, unless their form has `settings.tasks.slackChannel`; null means none.',
        // Not every installation has the Slack app.
        example: null,
      })
      .optional(),
  })
  .meta({ id: 'AccountPatch', description: 'Changes to the account.' });
export type AccountPatch = z.output<typeof AccountPatch>;

/** A user, who can log in. See docs/reference/authentication.md#users-and-roles. */
export const UserOut = z
  .object({
    id: idOut('usr', 'Id of the user.'),
    email: z
      .string()
      .meta({ description: 'Email address that the user logs in with.', example: 'ada@example.com' }),
    name: z.string().meta({ description: 'Name of the user.', example: 'Ada Lovelace' }),
    role: z.enum(ROLES).meta({ description: 'Role of the user.', example: 'owner' }),
    hasSecondFactor: z
      .boolean()
      .meta({ description: 'Whether the user has two-factor authentication.', example: true }),
    taskEmails: z.boolean().meta({
      description:
        'Whether the user gets an email about each new task that is unassigned or assigned to them.',
      example: true,
    }),
  })
  .meta({ id: 'User', description: 'A user of an account.' });
export type UserOut = z.output<typeof UserOut>;

/** An email address in the form in which it is stored and compared: trimmed and in lower case. */
export const email = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .refine(isEmail, 'must be an email address')
  .meta({
    description: 'Email address that the user logs in with; not case-sensitive.',
    example: 'ada@example.com',
  });
export const userName = visibleName(z.string().min(1).max(200)).meta({
  description: 'Name of the user.',
  example: 'Ada Lovelace',
});
export const role = z.enum(ROLES).meta({
  description:
    '`owner` and `admin` have all scopes; `reviewer` reads forms and submissions and decides tasks.',
  example: 'reviewer',
});
const taskEmails = z.boolean().meta({
  description:
    'Whether the user gets an email about each new task that is unassigned or assigned to them. Default: false.',
  example: true,
});
/** A password that a user chooses. */
export const newPassword = z.string().min(MIN_PASSWORD_LENGTH).max(256).meta({
  description: 'Password with at least 12 characters; common passwords are refused.',
  example: 'correct horse battery',
});

/** Request body of POST /api/users. */
export const UserIn = z
  .strictObject({
    email,
    name: userName,
    role,
    password: newPassword,
    taskEmails: taskEmails.default(false),
  })
  .meta({ id: 'UserIn', description: 'A user to create.' });
export type UserIn = z.output<typeof UserIn>;

/**
 * Request body of PATCH /api/users/{id}. Absent properties stay unchanged. Users change their own
 * email and password with PATCH /api/auth/me.
 */
export const UserPatch = z
  .strictObject({
    email: email.optional(),
    name: userName.optional(),
    role: role.optional(),
    taskEmails: taskEmails.optional(),
    password: newPassword
      .meta({
        description: "New password; changing it ends the user's sessions.",
        example: 'correct horse battery',
      })
      .optional(),
  })
  .meta({ id: 'UserPatch', description: 'Changes to a user.' });
export type UserPatch = z.output<typeof UserPatch>;

/**
 * Request body of POST /api/auth/login. Neither the format of the email nor the minimum length of
 * the password is validated, because a malformed value must get the same response as a wrong one.
 */
export const LoginIn = z
  .strictObject({
    email: z
      .string()
      .max(254)
      .overwrite((text) => text.trim().toLowerCase())
      .meta({ description: 'Email address of the user.', example: 'ada@example.com' }),
    password: z
      .string()
      .max(256)
      .meta({ description: 'Password of the user.', example: 'correct horse battery' }),
  })
  .meta({ id: 'LoginIn', description: 'Credentials of a login.' });
export type LoginIn = z.output<typeof LoginIn>;

/**
 * Request body of PATCH /api/auth/me. Absent properties stay unchanged. It has no `role`, because
 * users can't change their own.
 */
export const MePatch = z
  .strictObject({
    name: userName.optional(),
    taskEmails: taskEmails.optional(),
    email: email
      .meta({
        description: 'New email address to log in with; the old and the new address get an email.',
        example: 'ada@example.com',
      })
      .optional(),
    password: newPassword
      .meta({
        description: 'New password; changing it ends your other sessions.',
        example: 'battery horse correct',
      })
      .optional(),
    currentPassword: z
      .string()
      .max(256)
      .meta({
        description:
          'Your current password; required to change email or password. If the account requires single sign-on, a change of the email address needs a recent login instead.',
        example: 'correct horse battery',
      })
      .optional(),
  })
  .meta({ id: 'MePatch', description: 'Changes to the logged-in user.' });
export type MePatch = z.output<typeof MePatch>;

/** Request body of POST /api/auth/reauthenticate. */
export const ReauthenticateIn = z
  .strictObject({
    password: z.string().max(256).meta({ description: 'Your password.', example: 'correct horse battery' }),
  })
  .meta({ id: 'ReauthenticateIn', description: 'The password of the logged-in user.' });
export type ReauthenticateIn = z.output<typeof ReauthenticateIn>;

/** A session in the response of GET /api/auth/sessions. */
export const SessionOut = z
  .object({
    id: idOut('ses', 'Id of the session.'),
    createdAt: timeOut('When the user logged in.'),
    lastSeenAt: timeOrNullOut('When the session was last used, accurate to five minutes; null if unknown.'),
    expiresAt: timeOut('When the session expires; it ends earlier after 24 hours without a request.'),
    ip: z.string().nullable().meta({
      description: 'IP address of the login; null if unknown.',
      example: '203.0.113.7',
    }),
    userAgent: z.string().nullable().meta({
      description: 'User agent of the login; null if unknown.',
      example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    }),
    isCurrent: z.boolean().meta({ description: 'Whether this request used the session.', example: true }),
  })
  .meta({ id: 'UserSession', description: 'A session of a user.' });
export type SessionOut = z.output<typeof SessionOut>;

/** Response data of GET /api/auth/sessions. */
export const SessionsOut = z
  .array(SessionOut)
  .meta({ id: 'UserSessions', description: 'The open sessions of the user, newest first.' });
export type SessionsOut = z.output<typeof SessionsOut>;

/**
 * The logged-in user with account and scopes: response data of the login and of /api/auth/me.
 */
export const MeOut = UserOut.extend({
  account: AccountOut,
  mustSetUpSecondFactor: z.boolean().meta({
    description:
      'Whether the user must set up two-factor authentication, which the account requires, before they have any scopes.',
    example: false,
  }),
  scopes: z.array(z.enum(SCOPES)).meta({
    description: 'Scopes of the user’s role.',
    example: ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'],
  }),
  loginMethod: z.enum(['password', 'single_sign_on']).meta({
    description: 'How this session was opened.',
    example: 'password',
  }),
  mustChangePassword: z.literal(true).optional().meta({
    description:
      'Only while the password is a generated one, which must be changed before any other call: see `PASSWORD_CHANGE_REQUIRED`.',
    example: true,
  }),
}).meta({ id: 'Me', description: 'The logged-in user.' });
export type MeOut = z.output<typeof MeOut>;
