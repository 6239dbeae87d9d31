import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from './events.ts';
import { PageQuery } from '../api/pagination.ts';
import { idOut, timeOrNullOut, timeOut } from '../api/schema-parts.ts';

export const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed', 'held'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const status = z.enum(DELIVERY_STATUSES).meta({
  description:
    'Waiting for its next attempt; being sent; answered with 2xx; given up; kept back while the webhook is disabled by failures.',
  example: 'delivered',
});
const eventType = z
  .enum(WEBHOOK_EVENT_TYPES)
  .meta({ description: 'Type of the event.', example: 'form.submission.new' });

const DeliveryAttempt = z
  .object({
    at: timeOut('When it began.'),
    status: z.int().meta({ description: 'HTTP status. Absent without an answer.', example: 200 }).optional(),
    error: z
      .string()
      .meta({
        description:
          'Why it was no success, as one word: dns, connect, tls, timeout, reset, protocol (no answer), blocked_target, not_sent (nothing was sent), status (the answer was not 2xx).',
        example: 'timeout',
      })
      .optional(),
    durationMs: z.number().meta({ description: 'Milliseconds it took.', example: 38 }),
    responseBody: z
      .string()
      .meta({ description: 'First 4 KiB of the answer; empty without one.', example: 'ok' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One try to send an event to a webhook.' });

/** The delivery object. docs/reference/webhooks.md#delivery-object */
export const DeliveryOut = z
  .object({
    id: idOut('del', 'Id of the delivery.'),
    webhookId: idOut('whk', 'Webhook that gets it.'),
    eventId: idOut('evt', 'Event that is sent; `Svc-Event-Id` on every attempt.'),
    eventType,
    status,
    attempts: z.array(DeliveryAttempt).meta({ description: 'All attempts, oldest first.' }),
    nextAttemptAt: timeOrNullOut('When it is tried next; null when it is settled or held.'),
    createdAt: timeOut('When the event came to the webhook.'),
    erasedAt: timeOut(
      'When what it carried was erased: it is not sent any more. Absent: it was not.',
    ).optional(),
  })
  .meta({ id: 'Delivery', description: 'An event on its way to a webhook.' });
export type DeliveryOut = z.output<typeof DeliveryOut>;

/** Query of the deliveries of a webhook. */
export const DeliveryQuery = PageQuery.extend({
  status: status.optional(),
  eventType: eventType.optional(),
}).meta({ description: 'Which deliveries.' });
export type DeliveryQuery = z.output<typeof DeliveryQuery>;
