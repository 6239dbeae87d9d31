import { z } from 'zod';
import { idOut, timeOrNullOut, timeOut } from './schema-parts.ts';

/** What credentials may do; `*` stands for all of it, also for what is to come. contract: api.md §2 */
export const SCOPES = [
  'forms:read',
  'forms:write',
  'forms:webhooks:manage',
  'forms:inbound:manage',
  'submissions:read',
  'submissions:write',
  'tasks:create',
  'tasks:read',
  'tasks:manage',
  'tasks:decide',
  'events:read',
  'keys:manage',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** An API key as a client gets it; never the key. */
export const KeyOut = z
  .object({
    id: idOut('key', 'Id of the key.'),
    name: z.string().meta({ description: 'What it is for.', example: 'CRM' }),
    scopes: z.array(z.enum(SCOPES)).meta({
      description: 'What it may do; `*` is everything.',
      example: ['forms:read', 'submissions:read'],
    }),
    expiresAt: timeOrNullOut('When it stops working; null is never.'),
    createdAt: timeOut('When it was created.'),
  })
  .meta({ id: 'ApiKey', description: 'A key for the API.' });
export type KeyOut = z.output<typeof KeyOut>;
