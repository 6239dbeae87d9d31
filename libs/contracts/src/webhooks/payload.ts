import { z } from 'zod';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from './events.ts';

/** What a webhook sends as body. See docs/reference/webhooks.md#payload-formats. */
const PAYLOAD_FORMATS = ['envelope', 'data', 'template', 'slack', 'discord', 'teams', 'google-chat'] as const;
export type PayloadFormat = (typeof PAYLOAD_FORMATS)[number];

/** In UTF-16 units, as JavaScript counts them. */
const MAX_TEMPLATE_LENGTH = 20_000;

const format = z.enum(PAYLOAD_FORMATS).meta({
  description:
    'Format of the body. `envelope`: the default. `data`: only the `data` of the envelope. `template`: rendered from `template`. `slack`, `discord`, `teams` and `google-chat`: a message for an incoming webhook of that product.',
  example: 'template',
});

const template = z.string().min(1).max(MAX_TEMPLATE_LENGTH).meta({
  description: 'Liquid template of a JSON body. Required with the format `template`, refused with others.',
  example: '{"text": "New answer from {{ data.email }}"}',
});

/** The payload setting in requests. Whether the template parses is checked when it is saved. */
const PayloadIn = z
  .strictObject({ format, template: template.optional() })
  .superRefine((payload, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['template'], message });
    if (payload.format === 'template' && payload.template === undefined)
      refuse('is required with the format template');
    if (payload.format !== 'template' && payload.template !== undefined)
      refuse(`is only for the format template; remove it, or change the format ${payload.format}`);
  })
  .meta({ id: 'WebhookPayloadIn', description: 'What a webhook sends as body.' });
export type WebhookPayload = z.output<typeof PayloadIn>;

export const payloadIn = PayloadIn.nullable().meta({
  description: 'What the webhook sends as body. null or the format `envelope`: the default body.',
  example: { format: 'slack' },
});

// A component, because generators would name an inline object of `Webhook` like this one.
export const payloadOut = z.object({ format, template: template.optional() }).meta({
  id: 'WebhookPayload',
  description: 'What the webhook sends as body. Absent: the envelope.',
  example: { format: 'slack' },
});

const DELIVERY_ID = {
  description: 'Id of a delivery whose event is rendered. Default: a sample event.',
  example: 'del_01M82V3DXKX6TDBYBBYPEFKJ4E',
};
const EVENT_TYPE = {
  description: 'Type of the sample event. Default: `form.submission.new`. Ignored with `deliveryId`.',
  example: 'form.submission.new',
};

const deliveryId = z.string().max(64).meta(DELIVERY_ID).optional();
/**
 * Request body of POST …/webhooks/payload/preview. See
 * docs/reference/webhooks.md#preview-a-payload.
 */
export const PayloadPreviewIn = z
  .strictObject({
    payload: PayloadIn,
    deliveryId,
    eventType: z.enum(WEBHOOK_EVENT_TYPES).meta(EVENT_TYPE).optional(),
  })
  .meta({ id: 'PayloadPreviewIn', description: 'A payload setting to try, saved or not, and an event.' });

/** Request body of POST /api/webhooks/payload/preview. */
export const AccountPayloadPreviewIn = z
  .strictObject({
    payload: PayloadIn,
    deliveryId,
    eventType: z.enum(EVENT_TYPES).meta(EVENT_TYPE).optional(),
  })
  .meta({
    id: 'AccountPayloadPreviewIn',
    description: 'A payload setting of an account webhook to try, saved or not, and an event.',
  });
export type AccountPayloadPreviewIn = z.output<typeof AccountPayloadPreviewIn>;

const PayloadError = z
  .object({
    message: z.string().meta({ description: 'What is wrong.', example: 'tag {% if %} not closed' }),
    in: z.enum(['template', 'body']).meta({
      description: 'What `line` and `column` refer to: the template, or the body that it rendered.',
      example: 'template',
    }),
    line: z.int().meta({ description: 'Line, from 1. Absent if it is not known.', example: 3 }).optional(),
    column: z.int().meta({ description: 'Column, from 1.', example: 7 }).optional(),
  })
  .meta({ id: 'PayloadError', description: 'Why a payload could not be rendered.' });
export type PayloadError = z.output<typeof PayloadError>;

/** Response data of POST …/webhooks/payload/preview. */
export const PayloadPreviewOut = z
  .object({
    eventType: z
      .enum(EVENT_TYPES)
      .meta({ description: 'Type of the event.', example: 'form.submission.new' }),
    contentType: z
      .string()
      .meta({ description: 'Content type of the request.', example: 'application/json' }),
    body: z.string().nullable().meta({
      description:
        'Body of the request, byte for byte. null if the template failed; with an error in the `body`, the invalid body.',
      example: '{"text": "New answer from ada@example.com"}',
    }),
    error: PayloadError.nullable().meta({ description: 'Why nothing would be sent; null on success.' }),
  })
  .meta({ id: 'PayloadPreview', description: 'The body that a webhook would send.' });
export type PayloadPreviewOut = z.output<typeof PayloadPreviewOut>;
