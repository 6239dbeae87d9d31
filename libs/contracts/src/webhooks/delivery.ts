import { z } from 'zod';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from './events.ts';
import { PageQuery } from '../api/pagination.ts';
import { idOut, timeOrNullOut, timeOut } from '../api/schema-parts.ts';

/** The statuses of deliveries in responses. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed', 'held'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const status = z.enum(DELIVERY_STATUSES).meta({
  description:
    '`pending`: the next attempt is scheduled. `delivering`: an attempt is being made. `delivered`: the endpoint responded with 2xx. `failed`: all attempts failed. `held`: the webhook was disabled because of failures.',
  example: 'delivered',
});
const EVENT_TYPE = { description: 'Type of the event.', example: 'form.submission.new' };
const anyEventType = z.enum(EVENT_TYPES).meta(EVENT_TYPE);
const tests = z.enum(['exclude', 'include']).default('exclude').meta({
  description: 'Whether the list has test events, too; they have `isTest`.',
  example: 'include',
});

const DeliveryAttempt = z
  .object({
    at: timeOut('When the attempt started.'),
    status: z
      .int()
      .meta({ description: 'Status code of the response. Absent without a response.', example: 200 })
      .optional(),
    error: z
      .string()
      .meta({
        description:
          'Reason of the failure: `dns`, `connect`, `tls`, `timeout`, `reset` or `protocol` (no response), `blocked_target`, `not_sent` or `template` (nothing was sent), `status` (the response was not 2xx).',
        example: 'timeout',
      })
      .optional(),
    message: z
      .string()
      .meta({
        description: 'With the error `template`: what is wrong with the payload, and where.',
        example: 'line 3, column 7: undefined filter: uppercase',
      })
      .optional(),
    durationMs: z.number().meta({ description: 'Duration in milliseconds.', example: 38 }),
    responseBody: z
      .string()
      .meta({ description: 'First 4 KiB of the response body; empty without a response.', example: 'ok' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to send an event to a webhook endpoint.' });

/** A delivery in responses. See docs/reference/webhooks.md#delivery-object. */
export const DeliveryOut = z
  .object({
    id: idOut('del', 'Id of the delivery.'),
    webhookId: idOut('whk', 'Webhook that receives the event.'),
    eventId: idOut('evt', 'Id of the event, sent as `Svc-Event-Id` with every attempt.'),
    eventType: anyEventType,
    formId: idOut('frm', 'Form of the event.'),
    submissionId: idOut('sub', 'Submission of the event. Absent if it has none.').optional(),
    taskId: idOut('tsk', 'Task of the event. Absent if it has none.').optional(),
    isTest: z
      .literal(true)
      .meta({ description: 'The delivery is a test event. Absent in others.', example: true })
      .optional(),
    status,
    attempts: z.array(DeliveryAttempt).meta({ description: 'All attempts, oldest first.' }),
    nextAttemptAt: timeOrNullOut('When the next attempt is due; null if the delivery is finished or held.'),
    createdAt: timeOut('When the delivery was created.'),
    erasedAt: timeOut(
      'When its body was erased; it is not sent anymore. Absent if it was not erased.',
    ).optional(),
  })
  .meta({ id: 'Delivery', description: 'The delivery of an event to a webhook.' });
export type DeliveryOut = z.output<typeof DeliveryOut>;

/** The request of a delivery, as the webhook would send it now. */
const DeliveryRequest = z
  .object({
    url: z
      .string()
      .meta({ description: 'Endpoint URL of the webhook.', example: 'https://example.com/hook' }),
    headers: z.record(z.string(), z.string()).meta({
      description:
        'Headers by name, without the signatures, which are new for each attempt. Custom headers show their last 4 characters only.',
      example: { 'Content-Type': 'application/json', 'X-Api-Key': '••••1234' },
    }),
    body: z.string().nullable().meta({
      description: "Body; null if it was erased or can't be rendered.",
      example: '{"eventType":"form.submission.new"}',
    }),
    message: z
      .string()
      .meta({ description: "Why the body can't be rendered.", example: 'line 3: …' })
      .optional(),
  })
  .meta({ id: 'DeliveryRequest', description: 'The request of a delivery.' });
export type DeliveryRequestOut = z.output<typeof DeliveryRequest>;

/** One delivery, with its request if the query asks for it. */
export const DeliveryDetailOut = DeliveryOut.extend({
  request: DeliveryRequest.meta({
    description:
      'With `include=request`: the request that an attempt would send now, with the current URL, headers and payload of the webhook.',
  }).optional(),
}).meta({ id: 'DeliveryDetail', description: 'The delivery of an event to a webhook.' });
export type DeliveryDetailOut = z.output<typeof DeliveryDetailOut>;

/** Query of one delivery. */
export const DeliveryDetailQuery = z
  .strictObject({
    include: z
      .literal('request')
      .meta({ description: 'What the response has in addition.', example: 'request' })
      .optional(),
  })
  .meta({ description: 'What the response has in addition.' });
export type DeliveryDetailQuery = z.output<typeof DeliveryDetailQuery>;

/** Query of the list of deliveries of a webhook. */
export const DeliveryQuery = PageQuery.extend({
  status: status.optional(),
  eventType: z.enum(WEBHOOK_EVENT_TYPES).meta(EVENT_TYPE).optional(),
  tests,
}).meta({ description: 'Filter and page of the deliveries.' });
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

/** Query of the list of deliveries of an account webhook. */
export const AccountDeliveryQuery = DeliveryQuery.extend({ eventType: anyEventType.optional() }).meta({
  description: 'Filter and page of the deliveries.',
});
export type AccountDeliveryQuery = z.output<typeof AccountDeliveryQuery>;
