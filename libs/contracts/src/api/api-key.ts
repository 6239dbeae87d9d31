import { z } from 'zod';
import { idOut, momentIn, timeOrNullOut, timeOut, visibleName } from './schema-parts.ts';

/**
 * What credentials may do. `*` grants all scopes, including those of later versions. See
 * docs/reference/authentication.md#scopes.
 */
export const SCOPES = [
  'forms:read',
  'forms:write',
  'forms:draft',
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

/** An API key in responses, without the key itself. */
export const KeyOut = z
  .object({
    id: idOut('key', 'Id of the key.'),
    name: z
      .string()
      .meta({ description: 'Name of the key, such as the program that uses it.', example: 'CRM' }),
    last4: z
      .string()
      .meta({ description: 'Last four characters of the key, to tell keys apart.', example: 'x7Qk' }),
    scopes: z.array(z.enum(SCOPES)).meta({
      description: 'Scopes of the key; `*` grants all.',
      example: ['forms:read', 'submissions:read'],
    }),
    expiresAt: timeOrNullOut('When the key expires; null means never.'),
    createdAt: timeOut('When the key was created.'),
    createdBy: z.string().nullable().meta({
      description: 'Id of the user or key that created it; null if unknown.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    lastUsedAt: timeOrNullOut('When the key was last used, accurate to the minute; null if unknown.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key.' });
export type KeyOut = z.output<typeof KeyOut>;

/** Request body of POST /api/keys. */
export const KeyIn = z
  .strictObject({
    name: visibleName(z.string().min(1).max(200)).meta({
      description: 'Name of the key, such as the program that uses it.',
      example: 'CRM',
    }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .overwrite((scopes) => [...new Set(scopes)])
      .meta({
        description: 'Scopes of the key; `*` grants all. The caller must have each of them.',
        example: ['forms:read', 'submissions:read'],
      }),
    expiresAt: momentIn('When the key expires. Default: never.', '2030-01-31T00:00:00Z')
      .nullable()
      .optional(),
  })
  .meta({ id: 'ApiKeyIn', description: 'An API key to create.' });
export type KeyIn = z.output<typeof KeyIn>;

/** Response data of POST /api/keys. */
export const KeyCreatedOut = KeyOut.extend({
  key: z.string().nullable().meta({
    description: 'The key, shown only once; null in a replayed idempotent response.',
    example: 'svc_key_Zm9ydHktdGhyZWUtYmFzZTY0dXJsLWNoYXJhY3RlcnM',
  }),
}).meta({ id: 'ApiKeyCreated', description: 'A new API key.' });
export type KeyCreatedOut = z.output<typeof KeyCreatedOut>;
