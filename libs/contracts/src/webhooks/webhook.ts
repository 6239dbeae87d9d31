import { z } from 'zod';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from './events.ts';
import { headersIn, headersOut, headersPatch } from './headers.ts';
import { isPublicKeySigned, isPublicKeySignedPatch, publicKeyOut } from './public-key.ts';
import { payloadIn, payloadOut } from './payload.ts';
import { countOut, idOut, momentIn, timeOrNullOut, timeOut } from '../api/schema-parts.ts';
import { isWebUrl } from '../api/text-formats.ts';
import { WebhookFilter } from './filter.ts';

const TASK_EVENT = 'hitl.task.';

const eventType = z.enum(WEBHOOK_EVENT_TYPES, {
  error: ({ input }) => {
    const allowed = `must be one of: ${WEBHOOK_EVENT_TYPES.join(', ')}`;
    return typeof input === 'string' && input.startsWith(TASK_EVENT)
      ? `${input} is not sent to webhooks of a form; subscribe to it with an account webhook (POST /api/webhooks), read it from the event stream GET /api/mcp/events/${input}, or set the callbackUrl of the task. It ${allowed}`
      : allowed;
  },
});

const anyEventType = z.enum(EVENT_TYPES, { error: `must be one of: ${EVENT_TYPES.join(', ')}` });

const listOf = <T extends typeof eventType | typeof anyEventType>(type: T) =>
  z
    .array(type)
    .min(1)
    .overwrite((types) => [...new Set(types)])
    .meta({ description: 'Event types to send.', example: ['form.submission.new'] });
const events = listOf(eventType);
const anyEvents = listOf(anyEventType);

const MAX_FORMS = 1000;

const forms = z
  .array(z.string().max(64))
  .max(MAX_FORMS)
  .meta({
    description:
      'Ids of the forms whose events are sent. Absent: all forms of the account, also later ones. An empty list matches no form.',
    example: ['frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
  });

/**
 * Checks only the format. The guarded HTTP client decides which hosts and ports are allowed, on
 * saving and at each attempt.
 */
const url = z.string().max(2048).refine(isWebUrl, 'must be a URL that starts with https://').meta({
  description: 'Public HTTPS URL of the webhook endpoint.',
  example: 'https://example.com/hooks/forms',
});

const EXAMPLE_SECRET = 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==';

const secretIn = z
  .string()
  .min(16)
  .max(256)
  .meta({ description: 'Signing secret. Default: generated.', example: EXAMPLE_SECRET });

/**
 * Accepts an empty string, because the dashboard and many clients send one for an omitted value.
 */
const secretToCreate = z
  .union([z.literal(''), secretIn, z.null()], { error: 'must be a text of 16 to 256 characters' })
  .meta({
    description: 'Signing secret, at least 16 characters. Absent, null or empty: one is generated.',
    example: EXAMPLE_SECRET,
  });

const description = z.string().meta({ description: 'Note for the team.', example: 'CRM' });
const isEnabled = z.boolean().meta({ description: 'Whether the webhook is enabled.', example: true });

const rateLimitPerSecond = z.int().min(1).max(1000).nullable().meta({
  description:
    'Most requests per second to the endpoint, over all processes. Deliveries above it wait without counting as failures. null: no limit.',
  example: 10,
});

/** Request body of POST …/webhooks. See docs/reference/webhooks.md#create-a-webhook. */
export const WebhookIn = z
  .strictObject({
    url,
    events,
    secret: secretToCreate.optional(),
    isEnabled: isEnabled.default(true),
    description: description.optional(),
    rateLimitPerSecond: rateLimitPerSecond.optional(),
    headers: headersIn.optional(),
    isPublicKeySigned: isPublicKeySigned.optional(),
    filter: WebhookFilter.nullable().optional(),
    payload: payloadIn.optional(),
  })
  .meta({ id: 'WebhookIn', description: 'A webhook to create.' });
export type WebhookIn = z.output<typeof WebhookIn>;

/** Request body of PATCH …/webhooks/{id}. Absent properties stay unchanged. */
export const WebhookPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    isEnabled: isEnabled
      .meta({
        description: '`false` disables the webhook; `true` enables it and resets its failures.',
        example: true,
      })
      .optional(),
    description: description
      .nullable()
      .meta({ description: 'Note for the team; null removes it.', example: 'CRM' })
      .optional(),
    rateLimitPerSecond: rateLimitPerSecond.optional(),
    headers: headersPatch.optional(),
    isPublicKeySigned: isPublicKeySignedPatch.optional(),
    filter: WebhookFilter.nullable()
      .meta({
        description: 'Which of the events are sent; replaces the filter and its count. null removes it.',
        example: { all: [{ path: '/data/email', op: 'contains', value: '@example.com' }] },
      })
      .optional(),
    payload: payloadIn.optional(),
  })
  .meta({ id: 'WebhookPatch', description: 'Changes to a webhook.' });
export type WebhookPatch = z.output<typeof WebhookPatch>;

/** Request body of POST /api/webhooks. See docs/reference/webhooks.md#account-webhooks. */
export const AccountWebhookIn = WebhookIn.extend({
  events: anyEvents,
  forms: forms.nullable().optional(),
}).meta({ id: 'AccountWebhookIn', description: 'An account webhook to create.' });
export type AccountWebhookIn = z.output<typeof AccountWebhookIn>;

/** Request body of PATCH /api/webhooks/{id}. Absent properties stay unchanged. */
export const AccountWebhookPatch = WebhookPatch.extend({
  events: anyEvents.optional(),
  forms: forms
    .nullable()
    .meta({
      description:
        'Ids of the forms whose events are sent; replaces the list. null: all forms of the account, also later ones.',
      example: ['frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
    })
    .optional(),
}).meta({ id: 'AccountWebhookPatch', description: 'Changes to an account webhook.' });
export type AccountWebhookPatch = z.output<typeof AccountWebhookPatch>;

/** What the responses about webhooks of forms and of accounts have in common. */
const WebhookBase = z.object({
  id: idOut('whk', 'Id of the webhook.'),
  url,
  isEnabled,
  description: description.optional(),
  rateLimitPerSecond,
  filter: WebhookFilter.optional(),
  filteredCount: countOut(
    'Events that the filter excluded since it was last changed. Absent without a filter.',
    12,
  ).optional(),
  lastFilteredAt: timeOrNullOut(
    'When the filter last excluded an event; null if it never did. Absent without a filter.',
  ).optional(),
  payload: payloadOut.optional(),
  secretLast4: z
    .string()
    .meta({ description: 'Last four characters of the secret, to tell secrets apart.', example: 'NA==' }),
  headers: headersOut,
  ...publicKeyOut,
  disabledReason: z.enum(['manual', 'failures', 'gone']).nullable().meta({
    description:
      'Why the webhook is disabled: by a user (`manual`), after too many failures (`failures`), or because the endpoint returned 410 Gone (`gone`). null if it is enabled.',
    example: null,
  }),
  disabledAt: timeOrNullOut('When the webhook was disabled.'),
  failingSince: timeOrNullOut('Time of the first failure since the last success.'),
  consecutiveFailures: z.int().meta({ description: 'Failed attempts since the last success.', example: 0 }),
  lastAttemptAt: timeOrNullOut('When the last attempt was made.'),
  lastStatus: z
    .int()
    .nullable()
    .meta({ description: 'Status code of the last response; null without a response.', example: 200 }),
  createdAt: timeOut('When the webhook was created.'),
  updatedAt: timeOut('When the webhook was last changed.'),
});

/** A webhook of a form in responses. See docs/reference/webhooks.md#webhook-object. */
export const WebhookOut = WebhookBase.extend({
  formId: idOut('frm', 'Form whose events are sent.'),
  events,
}).meta({ id: 'Webhook', description: 'A webhook of a form.' });
export type WebhookOut = z.output<typeof WebhookOut>;

/** A webhook of an account in responses. See docs/reference/webhooks.md#account-webhooks. */
export const AccountWebhookOut = WebhookBase.extend({
  events: anyEvents,
  forms: forms.optional(),
}).meta({ id: 'AccountWebhook', description: 'A webhook of the account.' });
export type AccountWebhookOut = z.output<typeof AccountWebhookOut>;

const secretOut = z.string().nullable().meta({
  description: 'Signing secret, shown only once; null in a replayed idempotent response.',
  example: EXAMPLE_SECRET,
});

/** Response data of POST …/webhooks. */
export const WebhookCreatedOut = WebhookOut.extend({ secret: secretOut }).meta({
  id: 'WebhookCreated',
  description: 'A new webhook.',
});
export type WebhookCreatedOut = z.output<typeof WebhookCreatedOut>;

/** Response data of POST /api/webhooks. */
export const AccountWebhookCreatedOut = AccountWebhookOut.extend({ secret: secretOut }).meta({
  id: 'AccountWebhookCreated',
  description: 'A new account webhook.',
});
export type AccountWebhookCreatedOut = z.output<typeof AccountWebhookCreatedOut>;

/** Request body of POST …/webhooks/{id}/rotate-secret. */
export const RotateSecretIn = z
  .strictObject({
    secret: secretIn.optional(),
    overlapHours: z
      .number()
      .min(0)
      .max(168)
      .default(24)
      .meta({ description: 'Hours in which the old secret also signs.', example: 24 }),
  })
  .meta({ id: 'RotateSecretIn', description: 'A new secret for a webhook.' });
export type RotateSecretIn = z.output<typeof RotateSecretIn>;

const TEST_EVENT = {
  description: 'Type of the test event. Default: the first type that the webhook subscribes to.',
  example: 'form.submission.new',
};

/** Request body of POST …/webhooks/{id}/test. */
export const WebhookTestIn = z
  .strictObject({ eventType: eventType.meta(TEST_EVENT).optional() })
  .meta({ id: 'WebhookTestIn', description: 'A test event to send.' });
export type WebhookTestIn = z.output<typeof WebhookTestIn>;

/** Request body of POST /api/webhooks/{id}/test. */
export const AccountWebhookTestIn = z
  .strictObject({ eventType: anyEventType.meta(TEST_EVENT).optional() })
  .meta({ id: 'AccountWebhookTestIn', description: 'A test event to send to an account webhook.' });
export type AccountWebhookTestIn = z.output<typeof AccountWebhookTestIn>;

/** Response data of POST …/webhooks/{id}/test. */
export const WebhookTestOut = z
  .object({
    deliveryId: idOut('del', 'Delivery that has the request and the response of the test.'),
    delivered: z.boolean().meta({ description: 'Whether the endpoint responded with 2xx.', example: true }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'Status code of the response; null without a response.', example: 200 }),
    durationMs: z.number().meta({ description: 'Duration in milliseconds.', example: 38 }),
    error: z.string().meta({ description: 'Reason of the failure.', example: 'timeout' }).optional(),
    passesFilter: z
      .boolean()
      .meta({
        description:
          'Whether the filter of the webhook would let this event pass; tests are sent in any case. Absent without a filter.',
        example: true,
      })
      .optional(),
    message: z
      .string()
      .meta({ description: 'With the error `template`: what is wrong, and where.', example: 'line 3: …' })
      .optional(),
  })
  .meta({ id: 'WebhookTest', description: 'Result of a test event.' });
export type WebhookTestOut = z.output<typeof WebhookTestOut>;

/** Request body of POST …/webhooks/{id}/recover. */
export const RecoverIn = z
  .strictObject({
    since: momentIn(
      'Start of the period, by creation time of the deliveries (inclusive).',
      '2026-03-14T00:00:00Z',
    ),
    until: momentIn('End of the period (exclusive). Default: now.', '2026-03-15T00:00:00Z').optional(),
    dryRun: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to count only and change nothing.', example: false }),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ['until'],
    message: 'must be later than since',
  })
  .meta({ id: 'RecoverIn', description: 'Period whose failed and held deliveries are sent again.' });
export type RecoverIn = z.output<typeof RecoverIn>;

/** Response data of POST …/webhooks/{id}/recover. */
export const RecoverOut = z
  .object({
    count: z.int().meta({ description: 'Number of failed and held deliveries in the period.', example: 120 }),
    dryRun: z.boolean().meta({ description: 'Whether the request only counted them.', example: false }),
  })
  .meta({ id: 'Recovery', description: 'Result of a recovery.' });
export type RecoverOut = z.output<typeof RecoverOut>;
