import { z } from 'zod';
import { SCOPES } from './api-key.ts';
import { idOut, timeOrNullOut, timeOut, retentionDays } from './schema-parts.ts';
import { isEmail } from '../forms/text-formats.ts';

export const PLANS = ['free', 'starter', 'pro', 'business'] as const;
export type Plan = (typeof PLANS)[number];

export const ROLES = ['owner', 'admin', 'reviewer'] as const;
export type Role = (typeof ROLES)[number];

/** The account object. docs/reference/authentication.md#accounts */
export const AccountOut = z
  .object({
    id: idOut('acc', 'Id of the account.'),
    name: z.string().meta({ description: 'What it is called.', example: 'Analytical Engines Ltd' }),
    plan: z.enum(PLANS).meta({ description: 'What it includes.', example: 'business' }),
    retentionDays: retentionDays('Days after which submissions are erased where their form sets nothing.')
      .nullable()
      .meta({ description: 'Days after which submissions are erased; null: never.', example: 90 }),
    createdAt: timeOut('When it was created.'),
  })
  .meta({ id: 'Account', description: 'An account; it owns forms.' });
export type AccountOut = z.output<typeof AccountOut>;

/** Body of PATCH /api/account; absent members keep their values. */
export const AccountPatch = z
  .strictObject({
    retentionDays: retentionDays('Days after which submissions are erased.')
      .nullable()
      .meta({
        description:
          'Days after which submissions, and tasks after they are resolved, are erased where `settings.retentionDays` of their form is absent; null: never.',
        example: 90,
      })
      .optional(),
  })
  .meta({ id: 'AccountPatch', description: 'What to change of the account.' });
export type AccountPatch = z.output<typeof AccountPatch>;

/** The user object. docs/reference/authentication.md#users-and-roles */
export const UserOut = z
  .object({
    id: idOut('usr', 'Id of the user.'),
    email: z.string().meta({ description: 'What the user logs in with.', example: 'ada@example.com' }),
    name: z.string().meta({ description: 'What the user is called.', example: 'Ada Lovelace' }),
    role: z.enum(ROLES).meta({ description: 'What the user may do.', example: 'owner' }),
    taskEmails: z.boolean().meta({
      description: 'Whether the user gets an e-mail about each new task that nobody else is to decide.',
      example: true,
    }),
  })
  .meta({ id: 'User', description: 'A person of an account.' });
export type UserOut = z.output<typeof UserOut>;

/** Lower case, because addresses are compared without case. */
const email = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .refine(isEmail, 'must be an e-mail address')
  .meta({
    description: 'What the user logs in with; upper and lower case are the same.',
    example: 'ada@example.com',
  });
const name = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'What the user is called.', example: 'Ada Lovelace' });
const role = z.enum(ROLES).meta({
  description: 'owner and admin may do everything, reviewer reads forms and submissions and decides tasks.',
  example: 'reviewer',
});
const taskEmails = z.boolean().meta({
  description:
    'Whether the user gets an e-mail about each new task that nobody else is to decide. Absent: no.',
  example: true,
});
/** The minimum length of a new password. */
export const MIN_PASSWORD_LENGTH = 12;

const password = z.string().min(MIN_PASSWORD_LENGTH).max(256).meta({
  description: 'At least 12 characters, and none of the common passwords.',
  example: 'correct horse battery',
});

/** Body of POST /api/users. */
export const UserIn = z
  .strictObject({ email, name, role, password, taskEmails: taskEmails.default(false) })
  .meta({ id: 'UserIn', description: 'A user to create.' });
export type UserIn = z.output<typeof UserIn>;

/**
 * Body of PATCH /api/users/{id}; absent members keep their values. Users change their own email and
 * password with PATCH /api/auth/me.
 */
export const UserPatch = z
  .strictObject({
    email: email.optional(),
    name: name.optional(),
    role: role.optional(),
    taskEmails: taskEmails.optional(),
    password: password
      .meta({
        description: "A new password; it ends the user's sessions.",
        example: 'correct horse battery',
      })
      .optional(),
  })
  .meta({ id: 'UserPatch', description: 'What to change of a user.' });
export type UserPatch = z.output<typeof UserPatch>;

/**
 * Body of POST /api/auth/login. It isn't validated: an impossible email or password is simply
 * wrong.
 */
export const LoginIn = z
  .strictObject({
    email: z
      .string()
      .max(254)
      .overwrite((text) => text.trim().toLowerCase())
      .meta({ description: 'E-mail address of the user.', example: 'ada@example.com' }),
    password: z
      .string()
      .max(256)
      .meta({ description: 'Password of the user.', example: 'correct horse battery' }),
  })
  .meta({ id: 'LoginIn', description: 'Who logs in.' });
export type LoginIn = z.output<typeof LoginIn>;

/**
 * Body of PATCH /api/auth/me; absent members keep their values. Users can't change their own role.
 */
export const MePatch = z
  .strictObject({
    name: name.optional(),
    taskEmails: taskEmails.optional(),
    email: email
      .meta({ description: 'A new address to log in with; both get an email.', example: 'ada@example.com' })
      .optional(),
    password: password
      .meta({ description: 'A new password; it ends your other logins.', example: 'battery horse correct' })
      .optional(),
    currentPassword: z
      .string()
      .max(256)
      .meta({ description: 'Needed for a new email or password.', example: 'correct horse battery' })
      .optional(),
  })
  .refine(
    ({ email, password, currentPassword }) =>
      (email === undefined && password === undefined) || currentPassword !== undefined,
    { path: ['currentPassword'], error: 'is required for a new email or password' },
  )
  .meta({ id: 'MePatch', description: 'What to change of the user who has logged in.' });
export type MePatch = z.output<typeof MePatch>;

/** Body of POST /api/auth/reauthenticate. */
export const ReauthenticateIn = z
  .strictObject({
    password: z.string().max(256).meta({ description: 'Your password.', example: 'correct horse battery' }),
  })
  .meta({ id: 'ReauthenticateIn', description: 'The password of the user who has logged in, again.' });
export type ReauthenticateIn = z.output<typeof ReauthenticateIn>;

/** A session in GET /api/auth/sessions. */
export const SessionOut = z
  .object({
    id: idOut('ses', 'Id of the session.'),
    createdAt: timeOut('When the user logged in.'),
    lastSeenAt: timeOrNullOut('When it was last used, to within five minutes; null when unknown.'),
    expiresAt: timeOut('When it ends at the latest; it ends earlier after 24 hours without a request.'),
    ip: z.string().nullable().meta({
      description: 'The IP address that the user logged in from; null when unknown.',
      example: '203.0.113.7',
    }),
    userAgent: z.string().nullable().meta({
      description: 'What the browser called itself; null when unknown.',
      example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    }),
    isCurrent: z.boolean().meta({ description: 'Whether this call used it.', example: true }),
  })
  .meta({ id: 'UserSession', description: 'A login of a user.' });
export type SessionOut = z.output<typeof SessionOut>;

/** Response of GET /api/auth/sessions. */
export const SessionsOut = z
  .array(SessionOut)
  .meta({ id: 'UserSessions', description: 'The open sessions of the user, the newest first.' });
export type SessionsOut = z.output<typeof SessionsOut>;

/** The current user, account and permissions. */
export const MeOut = UserOut.extend({
  account: AccountOut,
  scopes: z.array(z.enum(SCOPES)).meta({
    description: 'What the role of the user allows.',
    example: ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'],
  }),
}).meta({ id: 'Me', description: 'The user who has logged in.' });
export type MeOut = z.output<typeof MeOut>;
