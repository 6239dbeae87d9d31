import { z } from 'zod';
import { countOut, timeOut, wholeNumberIn } from '../api/schema-parts.ts';

const MAX_DAYS = 7;

/** Query of the health of a webhook. */
export const WebhookHealthQuery = z
  .strictObject({
    days: wholeNumberIn({ min: 1, max: MAX_DAYS, fallback: MAX_DAYS }).meta({
      description: 'Length of the period: this many times 24 hours, up to now.',
      example: 7,
    }),
  })
  .meta({ description: 'Period of the health.' });
export type WebhookHealthQuery = z.output<typeof WebhookHealthQuery>;

const latency = (part: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({
      description: `Latency in milliseconds that ${part} of the attempts that reached the endpoint did not exceed, within 5 %, or 1 ms below 20 ms; null without such attempts.`,
      example,
    });

const counts = {
  attempts: countOut('Attempts that ended, without test events.', 128),
  succeeded: countOut('Attempts with a 2xx response.', 126),
  failed: countOut('All other attempts.', 2),
  successRate: z.number().min(0).max(1).nullable().meta({
    description: '`succeeded` divided by `attempts`, from 0 to 1; null without attempts.',
    example: 0.984375,
  }),
  p50Ms: latency('half', 84),
  p95Ms: latency('95 %', 310),
};

const WebhookHealthHour = z
  .object({
    hour: timeOut('When the hour begins, in UTC. An attempt belongs to the hour in which it started.'),
    ...counts,
  })
  .meta({ id: 'WebhookHealthHour', description: 'The attempts of a webhook in one hour.' });

const WebhookHealthTotals = z
  .object(counts)
  .meta({ id: 'WebhookHealthTotals', description: 'All attempts of a webhook in the period.' });

/** The health of a webhook. See docs/reference/webhooks.md#health. */
export const WebhookHealthOut = z
  .object({
    from: timeOut('When the first hour begins.'),
    to: timeOut('Time of the response. The last hour is not over yet.'),
    totals: WebhookHealthTotals,
    hours: z
      .array(WebhookHealthHour)
      .meta({ description: 'Every hour of the period, oldest first, including hours without attempts.' }),
  })
  .meta({ id: 'WebhookHealth', description: 'Attempts, success rate and latency of a webhook by hour.' });
export type WebhookHealthOut = z.output<typeof WebhookHealthOut>;
