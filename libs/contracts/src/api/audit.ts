import { z } from 'zod';
import { PageQuery } from './pagination.ts';
import { idOut, momentIn, timeOut } from './schema-parts.ts';

/** The actions in the audit log: `noun.verb_past`. docs/reference/authentication.md#audit-log */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.updated',
  'account.plan_changed',
  'login.succeeded',
  'login.failed',
  'session.ended',
  'session.reauthenticated',
  'key.created',
  'key.deleted',
  'user.created',
  'user.updated',
  'user.role_changed',
  'user.deleted',
  'form.created',
  'form.updated',
  'form.deleted',
  'submission.deleted',
  'inbound.created',
  'inbound.updated',
  'inbound.deleted',
  'inbound.token_rotated',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.recovered',
  'delivery.retried',
  'notification_address.verification_sent',
  'erasure.created',
  'task.created',
  'task.claimed',
  'task.released',
  'task.decided',
  'task.cancelled',
  'task.deleted',
  'task.callback_redelivered',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_ACTOR_TYPES = ['user', 'key', 'anonymous', 'system'] as const;

const AuditActor = z
  .object({
    type: z.enum(AUDIT_ACTOR_TYPES).meta({
      description:
        'A user, an API key, somebody who failed to log in (anonymous), or an administration command (system).',
      example: 'user',
    }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the user or key.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the user or key at that time.', example: 'Ada Lovelace' }),
  })
  .meta({ id: 'AuditActor', description: 'Who did it.' });

const AuditTarget = z
  .object({
    type: z.string().meta({ description: 'Kind of resource.', example: 'webhook' }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the resource.', example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the resource at that time; null if it has none.', example: 'CRM' }),
  })
  .meta({ id: 'AuditTarget', description: 'The resource.' });

const AuditChanges = z
  .record(
    z.string(),
    z.object({
      from: z.unknown().meta({ description: 'Value before.', example: false }).optional(),
      to: z.unknown().meta({ description: 'Value after.', example: true }).optional(),
    }),
  )
  .meta({
    description:
      'Changed properties. `from` and `to` are left out where the values are secret or large; URLs are shown as their host.',
    example: { isEnabled: { from: false, to: true } },
  });
export type AuditChanges = z.output<typeof AuditChanges>;

/** An entry of the audit log. Entries are never changed. */
export const AuditEntryOut = z
  .object({
    id: idOut('aud', 'Id of the row.'),
    createdAt: timeOut('When it happened.'),
    actor: AuditActor,
    ip: z
      .string()
      .nullable()
      .meta({ description: "The client's IP address; null for commands.", example: '203.0.113.7' }),
    action: z.enum(AUDIT_ACTIONS).meta({ description: 'What happened.', example: 'webhook.updated' }),
    target: AuditTarget,
    changes: AuditChanges,
  })
  .meta({ id: 'AuditEntry', description: 'A change that somebody made.' });
export type AuditEntryOut = z.output<typeof AuditEntryOut>;

/** Query of GET /api/audit-log. */
export const AuditQuery = PageQuery.extend({
  actor: z
    .string()
    .max(200)
    .meta({ description: 'Id of the user or key.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' })
    .optional(),
  action: z
    .enum(AUDIT_ACTIONS, 'must be an action of the audit log, such as webhook.updated')
    .meta({ description: 'What happened.', example: 'webhook.updated' })
    .optional(),
  target: z
    .string()
    .max(200)
    .meta({ description: 'Id of the resource.', example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' })
    .optional(),
  since: momentIn('From this time on (inclusive).', '2026-03-14T00:00:00Z').optional(),
  until: momentIn('Before this time (exclusive).', '2026-03-15T00:00:00Z').optional(),
})
  .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
    path: ['until'],
    message: 'must be later than since',
  })
  .meta({ description: 'Which rows.' });
export type AuditQuery = z.output<typeof AuditQuery>;
