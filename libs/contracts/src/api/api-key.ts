import { z } from 'zod';
import { idOut, momentIn, timeOrNullOut, timeOut } from './schema-parts.ts';

/**
 * The scopes of keys and roles; `*` includes all scopes, also future ones.
 * docs/reference/authentication.md#scopes
 */
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
  'audit:read',
  'users:manage',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The API key object, without the key itself. docs/reference/authentication.md#api-keys */
export const KeyOut = z
  .object({
    id: idOut('key', 'Id of the key.'),
    name: z.string().meta({ description: 'What it is for.', example: 'CRM' }),
    last4: z.string().meta({ description: 'End of the key, to tell keys apart.', example: 'x7Qk' }),
    scopes: z.array(z.enum(SCOPES)).meta({
      description: 'What it may do; `*` is everything.',
      example: ['forms:read', 'submissions:read'],
    }),
    expiresAt: timeOrNullOut('When it stops working; null is never.'),
    createdAt: timeOut('When it was created.'),
    createdBy: z.string().nullable().meta({
      description: 'Id of the user or key that created it; null when unknown.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    lastUsedAt: timeOrNullOut('When it was last used, to the minute; null when unknown.'),
  })
  .meta({ id: 'ApiKey', description: 'A key for the API.' });
export type KeyOut = z.output<typeof KeyOut>;

/** Body of POST /api/keys. */
export const KeyIn = z
  .strictObject({
    name: z.string().min(1).max(200).meta({ description: 'What it is for.', example: 'CRM' }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .overwrite((scopes) => [...new Set(scopes)])
      .meta({
        description: 'What it may do; `*` is everything. Whoever creates it has to have all of it.',
        example: ['forms:read', 'submissions:read'],
      }),
    expiresAt: momentIn('When it stops working. Absent or null: never.', '2030-01-31T00:00:00Z')
      .nullable()
      .optional(),
  })
  .meta({ id: 'ApiKeyIn', description: 'A key to create.' });
export type KeyIn = z.output<typeof KeyIn>;

/** Response of POST /api/keys. */
export const KeyCreatedOut = KeyOut.extend({
  key: z.string().nullable().meta({
    description: 'The key, this once; null where an idempotent request is answered again.',
    example: 'svc_key_Zm9ydHktdGhyZWUtYmFzZTY0dXJsLWNoYXJhY3RlcnM',
  }),
}).meta({ id: 'ApiKeyCreated', description: 'A key that was just created.' });
export type KeyCreatedOut = z.output<typeof KeyCreatedOut>;
