import { z } from 'zod';
import { PageQuery } from './pagination.ts';
import { idOut, momentIn, timeOut } from './schema-parts.ts';

/** Every action in the audit log, named `noun.verb_past`. */
const AUDIT_ACTIONS = [
  'account.created',
  'account.updated',
  'account.slack_tested',
  'account.plan_changed',
  'account.exported',
  'account.imported',
  'login.succeeded',
  'login.failed',
  'session.ended',
  'session.reauthenticated',
  'key.created',
  'key.deleted',
  'agent.connected',
  'agent.disconnected',
  'user.created',
  'user.updated',
  'user.role_changed',
  'user.deleted',
  'user.password_reset_requested',
  'user.password_reset',
  'user.slack_connected',
  'user.slack_disconnected',
  'totp.enabled',
  'totp.disabled',
  'totp.recovery_codes_replaced',
  'account.login_policy_changed',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
  'invitation.accepted',
  'group.created',
  'group.updated',
  'group.deleted',
  'form.created',
  'form.updated',
  'form.draft_saved',
  'form.draft_discarded',
  'form.published',
  'form.version_restored',
  'form.deleted',
  'submission.released',
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
  'task.voted',
  'task.delegated',
  'task.decided',
  'task.cancelled',
  'task.deleted',
  'task.callback_redelivered',
  'receipt.redeemed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const AUDIT_ACTOR_TYPES = ['user', 'key', 'agent', 'anonymous', 'system'] as const;

const AuditActor = z
  .object({
    type: z.enum(AUDIT_ACTOR_TYPES).meta({
      description:
        'A user, an API key, a connected agent, a failed login (`anonymous`), or an admin command (`system`).',
      example: 'user',
    }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the user, key or agent.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the user, key or agent at that time.', example: 'Ada Lovelace' }),
  })
  .meta({ id: 'AuditActor', description: 'Who made the change.' });

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
  .meta({ id: 'AuditTarget', description: 'The changed resource.' });

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
      'Changed properties. `from` and `to` are omitted if the values are secret or large; URLs are reduced to their host.',
    example: { isEnabled: { from: false, to: true } },
  });
export type AuditChanges = z.output<typeof AuditChanges>;

const AuditResource = z
  .object({
    name: z.string().nullable().meta({
      description:
        'Its current name; of a task the title, of a webhook or delivery the host. Null if it has none.',
      example: 'hooks.example.com',
    }),
    formId: z.string().nullable().meta({
      description: 'Id of the form that it belongs to; null if it belongs to the account.',
      example: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    formName: z.string().nullable().meta({ description: 'Current name of that form.', example: 'Contact' }),
    webhookId: z.string().nullable().meta({
      description: 'Id of the webhook; null if it is neither a webhook nor a delivery.',
      example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
  })
  .meta({ id: 'AuditResource', description: 'The resource as it is now.' });

/** One row of the audit log. Rows never change, but `resource` shows the target as it is now. */
export const AuditEntryOut = z
  .object({
    id: idOut('aud', 'Id of the row.'),
    createdAt: timeOut('When the change was made.'),
    actor: AuditActor,
    ip: z
      .string()
      .nullable()
      .meta({ description: 'IP address of the client; null for admin commands.', example: '203.0.113.7' }),
    action: z.enum(AUDIT_ACTIONS).meta({ description: 'Action.', example: 'webhook.updated' }),
    target: AuditTarget,
    resource: AuditResource.nullable().optional().meta({
      description:
        'With `include=resource`: the target as it is now. Null if it was deleted, if its kind has no current state, or if the scopes of the caller don’t cover it.',
    }),
    changes: AuditChanges,
  })
  .meta({ id: 'AuditEntry', description: 'A change to the account.' });
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
    .meta({ description: 'Action.', example: 'webhook.updated' })
    .optional(),
  target: z
    .string()
    .max(200)
    .meta({ description: 'Id of the resource.', example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' })
    .optional(),
  include: z
    .enum(['resource'], 'must be resource')
    .meta({ description: '`resource` adds the target as it is now.', example: 'resource' })
    .optional(),
  since: momentIn('Start of the period (inclusive).', '2026-03-14T00:00:00Z').optional(),
  until: momentIn('End of the period (exclusive).', '2026-03-15T00:00:00Z').optional(),
})
  .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
    path: ['until'],
    message: 'must be later than since',
  })
  .meta({ description: 'Filter and page of the audit log.' });
export type AuditQuery = z.output<typeof AuditQuery>;
