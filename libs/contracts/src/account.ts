import { z } from 'zod';
import { SCOPES } from './api-key.ts';
import { idOut, timeOut } from './schema-parts.ts';
import { isEmail } from './text-formats.ts';

export const PLANS = ['free', 'starter', 'pro', 'business'] as const;
export type Plan = (typeof PLANS)[number];

export const ROLES = ['owner', 'admin', 'reviewer'] as const;
export type Role = (typeof ROLES)[number];

/** Who owns forms. contract: api.md §2 */
export const AccountOut = z
  .object({
    id: idOut('acc', 'Id of the account.'),
    name: z.string().meta({ description: 'What it is called.', example: 'Analytical Engines Ltd' }),
    plan: z.enum(PLANS).meta({ description: 'What it includes.', example: 'business' }),
    createdAt: timeOut('When it was created.'),
  })
  .meta({ id: 'Account', description: 'An account; it owns forms.' });
export type AccountOut = z.output<typeof AccountOut>;

/** A person who logs in. contract: api.md §2 */
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

/** As it is stored and compared: upper and lower case are the same address. */
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
const password = z
  .string()
  .min(8)
  .max(256)
  .meta({ description: 'At least 8 characters.', example: 'correct horse battery' });

/** Body of POST /api/users. */
export const UserIn = z
  .strictObject({ email, name, role, password, taskEmails: taskEmails.default(false) })
  .meta({ id: 'UserIn', description: 'A user to create.' });
export type UserIn = z.output<typeof UserIn>;

/** Body of PATCH /api/users/{id}: what is absent stays. */
export const UserPatch = z
  .strictObject({
    email: email.optional(),
    name: name.optional(),
    role: role.optional(),
    taskEmails: taskEmails.optional(),
    password: password
      .meta({
        description: "A new password; it ends the user's other sessions.",
        example: 'correct horse battery',
      })
      .optional(),
  })
  .meta({ id: 'UserPatch', description: 'What to change of a user.' });
export type UserPatch = z.output<typeof UserPatch>;

/** Body of POST /api/auth/login. What can't be an address or a password of ours is simply a wrong one. */
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

/** Body of PATCH /api/auth/me: what is absent stays. What others may decide about a user (the role, the address) is not in it. */
export const MePatch = z
  .strictObject({
    name: name.optional(),
    taskEmails: taskEmails.optional(),
    password: password
      .meta({ description: 'A new password; it ends your other logins.', example: 'battery horse correct' })
      .optional(),
    currentPassword: z
      .string()
      .max(256)
      .meta({ description: 'Needed for a new one.', example: 'correct horse battery' })
      .optional(),
  })
  .refine((patch) => patch.password === undefined || patch.currentPassword !== undefined, {
    path: ['currentPassword'],
    error: 'is required for a new password',
  })
  .meta({ id: 'MePatch', description: 'What to change of the user who has logged in.' });
export type MePatch = z.output<typeof MePatch>;

/** Who has logged in, where, and what that allows. */
export const MeOut = UserOut.extend({
  account: AccountOut,
  scopes: z.array(z.enum(SCOPES)).meta({
    description: 'What the role of the user allows.',
    example: ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'],
  }),
}).meta({ id: 'Me', description: 'The user who has logged in.' });
export type MeOut = z.output<typeof MeOut>;
