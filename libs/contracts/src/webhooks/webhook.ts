import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from './events.ts';
import { idOut, momentIn, timeOrNullOut, timeOut } from '../api/schema-parts.ts';
import { isWebUrl } from '../forms/text-formats.ts';

const TASK_EVENT = 'hitl.task.';

const eventType = z.enum(WEBHOOK_EVENT_TYPES, {
  error: ({ input }) => {
    const allowed = `must be one of: ${WEBHOOK_EVENT_TYPES.join(', ')}`;
    return typeof input === 'string' && input.startsWith(TASK_EVENT)
      ? `${input} is not sent to webhooks; read it from the event stream GET /api/mcp/events/${input}. It ${allowed}`
      : allowed;
  },
});

const events = z
  .array(eventType)
  .min(1)
  .overwrite((types) => [...new Set(types)])
  .meta({ description: 'Events to send.', example: ['form.submission.new'] });

/**
 * Hosts and ports are checked by the outbound client, when the webhook is saved and at each
 * attempt.
 */
const url = z
  .string()
  .max(2048)
  .refine(isWebUrl, 'must be a web address that begins with https://')
  .meta({ description: 'Public HTTPS address of the listener.', example: 'https://example.com/hooks/forms' });

const EXAMPLE_SECRET = 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==';

const secretIn = z
  .string()
  .min(16)
  .max(256)
  .meta({ description: 'Signs what is sent. Absent: one is generated.', example: EXAMPLE_SECRET });

/** The dashboard and many clients send an empty text for a member without a value. */
const secretToCreate = z
  .union([z.literal(''), secretIn, z.null()], { error: 'must be text of 16 to 256 characters' })
  .meta({
    description: 'Signs what is sent; 16 characters at least. Absent, null or empty: one is generated.',
    example: EXAMPLE_SECRET,
  });

const description = z.string().meta({ description: 'A note for its owners.', example: 'CRM' });
const isEnabled = z.boolean().meta({ description: 'Whether events are sent to it.', example: true });

/** Body of POST …/webhooks. docs/reference/webhooks.md#create-a-webhook */
export const WebhookIn = z
  .strictObject({
    url,
    events,
    secret: secretToCreate.optional(),
    isEnabled: isEnabled.default(true),
    description: description.optional(),
  })
  .meta({ id: 'WebhookIn', description: 'A webhook to create.' });
export type WebhookIn = z.output<typeof WebhookIn>;

/** Body of PATCH …/webhooks/{id}; absent members keep their values. */
export const WebhookPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    isEnabled: isEnabled
      .meta({ description: 'false disables it; true enables it and forgets its failures.', example: true })
      .optional(),
    description: description
      .nullable()
      .meta({ description: 'A note for its owners; null removes it.', example: 'CRM' })
      .optional(),
  })
  .meta({ id: 'WebhookPatch', description: 'What to change of a webhook.' });
export type WebhookPatch = z.output<typeof WebhookPatch>;

/** The webhook object. docs/reference/webhooks.md#webhook-object */
export const WebhookOut = z
  .object({
    id: idOut('whk', 'Id of the webhook.'),
    formId: idOut('frm', 'Form whose events it gets.'),
    url,
    events,
    isEnabled,
    description: description.optional(),
    secretLast4: z
      .string()
      .meta({ description: 'End of the secret, to tell secrets apart.', example: 'NA==' }),
    disabledReason: z.enum(['manual', 'failures', 'gone']).nullable().meta({
      description: 'By hand, by lasting failures, because the listener answered 410, or null while enabled.',
      example: null,
    }),
    disabledAt: timeOrNullOut('When it was disabled.'),
    failingSince: timeOrNullOut('First failure since the last success.'),
    consecutiveFailures: z.int().meta({ description: 'Failed attempts since the last success.', example: 0 }),
    lastAttemptAt: timeOrNullOut('When something was last sent.'),
    lastStatus: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last answer; null without one.', example: 200 }),
    createdAt: timeOut('When it was created.'),
    updatedAt: timeOut('When it was last changed.'),
  })
  .meta({ id: 'Webhook', description: 'A webhook of a form.' });
export type WebhookOut = z.output<typeof WebhookOut>;

/** Response of POST …/webhooks. */
export const WebhookCreatedOut = WebhookOut.extend({
  secret: z.string().nullable().meta({
    description: 'The whole secret, this once; null where an idempotent request is answered again.',
    example: EXAMPLE_SECRET,
  }),
}).meta({ id: 'WebhookCreated', description: 'A webhook that was just created.' });
export type WebhookCreatedOut = z.output<typeof WebhookCreatedOut>;

/** Body of POST …/webhooks/{id}/rotate-secret. */
export const RotateSecretIn = z
  .strictObject({
    secret: secretIn.optional(),
    overlapHours: z
      .number()
      .min(0)
      .max(168)
      .default(24)
      .meta({ description: 'How long the old secret signs along with the new one.', example: 24 }),
  })
  .meta({ id: 'RotateSecretIn', description: 'A new secret for a webhook.' });
export type RotateSecretIn = z.output<typeof RotateSecretIn>;

/** Body of POST …/webhooks/{id}/test. */
export const WebhookTestIn = z
  .strictObject({
    eventType: eventType
      .meta({
        description: 'Which event the sample is of. Absent: the first that the webhook is subscribed to.',
        example: 'form.submission.new',
      })
      .optional(),
  })
  .meta({ id: 'WebhookTestIn', description: 'A sample to send.' });
export type WebhookTestIn = z.output<typeof WebhookTestIn>;

/** Response of POST …/webhooks/{id}/test. */
export const WebhookTestOut = z
  .object({
    delivered: z.boolean().meta({ description: 'Whether the listener answered 2xx.', example: true }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the answer; null without one.', example: 200 }),
    durationMs: z.number().meta({ description: 'Milliseconds it took.', example: 38 }),
    error: z
      .string()
      .meta({ description: 'Why there was no answer, as one word.', example: 'timeout' })
      .optional(),
  })
  .meta({ id: 'WebhookTest', description: 'What came of a sample.' });
export type WebhookTestOut = z.output<typeof WebhookTestOut>;

/** Body of POST …/webhooks/{id}/recover. */
export const RecoverIn = z
  .strictObject({
    since: momentIn('Deliveries made from then on, …', '2026-03-14T00:00:00Z'),
    until: momentIn('… before then. Absent: until now.', '2026-03-15T00:00:00Z').optional(),
    dryRun: z.boolean().default(false).meta({ description: 'Only count, change nothing.', example: false }),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ['until'],
    message: 'must be later than since',
  })
  .meta({ id: 'RecoverIn', description: 'Which failed and held deliveries to send again.' });
export type RecoverIn = z.output<typeof RecoverIn>;

/** Response of POST …/webhooks/{id}/recover. */
export const RecoverOut = z
  .object({
    count: z.int().meta({ description: 'Failed and held deliveries in the window.', example: 120 }),
    dryRun: z.boolean().meta({ description: 'Whether they were only counted.', example: false }),
  })
  .meta({ id: 'Recovery', description: 'How many deliveries are sent again.' });
export type RecoverOut = z.output<typeof RecoverOut>;
