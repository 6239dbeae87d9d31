import { z } from 'zod';
import { idOut, timeOut } from './schema-parts.ts';

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
  })
  .meta({ id: 'User', description: 'A person of an account.' });
export type UserOut = z.output<typeof UserOut>;
