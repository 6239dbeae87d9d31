import { z } from 'zod';
import { FieldName } from '../forms/form-field.ts';
import { idOut, timeOut } from '../api/schema-parts.ts';

const givenSecret = z.string().min(16).max(256);
const generated = z.literal(true);

/** zod silently drops a key `__proto__` from records; here it is an error. */
function refuseProtoKey(input: unknown, context: z.RefinementCtx): unknown {
  if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'this key is reserved' });
  }
  return input;
}

const fieldMapping = z
  .preprocess(
    refuseProtoKey,
    z.record(z.string().max(200), FieldName).superRefine((mapping, context) => {
      const taken = new Map<string, string>();
      for (const [key, field] of Object.entries(mapping)) {
        const earlier = taken.get(field);
        if (earlier === undefined) taken.set(field, key);
        else
          context.addIssue({
            code: 'custom',
            path: [key],
            message: `${field} is already mapped from ${earlier}`,
          });
      }
    }),
  )
  .meta({
    description:
      'Inbound key → name of the field that takes its value; other keys go to the field of the same name. A key that the body does not have as it is, is read as a dotted path into objects and arrays: `customer.mail`, `items.0.sku`.',
    example: { 'customer.mail': 'email' },
  });

const name = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Tells the endpoints of a form apart.', example: 'CRM' });

const requireTimestamp = z.boolean().meta({
  description:
    'Whether the signature covers `X-SvcForms-Timestamp`, a dot and the body, and must be at most 300 seconds old. Needs a secret.',
  example: false,
});

const NEEDS_SECRET = 'needs a signing secret; send secret too';

const isEnabled = z.boolean().meta({ description: 'Whether requests are accepted.', example: true });

/**
 * Body of POST …/inbound and POST …/inbound/endpoints.
 * docs/reference/inbound.md#create-an-inbound-endpoint
 */
export const InboundIn = z
  .strictObject({
    secret: z
      .union([givenSecret, generated])
      .meta({
        description: 'Requests must be signed with it; true generates one. Absent: no signature.',
        example: true,
      })
      .optional(),
    fieldMapping: fieldMapping.default(() => ({})),
    isEnabled: isEnabled.default(true),
    name: name.optional(),
    requireTimestamp: requireTimestamp.optional(),
  })
  .refine((endpoint) => !endpoint.requireTimestamp || endpoint.secret !== undefined, {
    path: ['requireTimestamp'],
    message: NEEDS_SECRET,
  })
  .meta({ id: 'InboundIn', description: 'An inbound endpoint to create.' });
export type InboundIn = z.output<typeof InboundIn>;

/**
 * Body of PATCH …/inbound and PATCH …/inbound/endpoints/{inboundId}; absent members keep their
 * values.
 */
export const InboundPatch = z
  .strictObject({
    secret: z
      .union([givenSecret, generated, z.null()])
      .meta({
        description: 'A new signing secret; true generates one, null removes it (and `requireTimestamp`).',
        example: true,
      })
      .optional(),
    fieldMapping: fieldMapping.optional(),
    isEnabled: isEnabled.optional(),
    name: name.optional(),
    requireTimestamp: requireTimestamp.optional(),
  })
  .refine((patch) => !patch.requireTimestamp || patch.secret !== null, {
    path: ['requireTimestamp'],
    message: NEEDS_SECRET,
  })
  .meta({ id: 'InboundPatch', description: 'What to change of an inbound endpoint.' });
export type InboundPatch = z.output<typeof InboundPatch>;

const oneTimeToken = z.string().nullable().meta({
  description: 'Bearer token, this once; null where an idempotent request is answered again.',
  example: 'svc_inb_Zm9ydHktdGhyZWUtYmFzZTY0dXJsLWNoYXJhY3RlcnM',
});
const oneTimeSecret = z
  .string()
  .nullable()
  .meta({
    description: 'The generated signing secret, this once. Absent when none was generated.',
    example: '6f1d0c3b9a8e47f2b5c4d3e2f1a0b9c8',
  })
  .optional();

/**
 * The inbound endpoint object, without the token. docs/reference/inbound.md#inbound-endpoint-object
 */
export const InboundOut = z
  .object({
    id: idOut('inb', 'Id of the endpoint.'),
    formId: idOut('frm', 'Form that takes the submissions.'),
    name,
    tokenLast4: z.string().meta({ description: 'End of the token, to tell tokens apart.', example: 'ZXJz' }),
    hasSecret: z.boolean().meta({ description: 'Whether requests must be signed.', example: false }),
    requireTimestamp,
    fieldMapping: z
      .record(z.string(), z.string())
      .meta({ description: 'Inbound key → name of the field.', example: { 'customer.mail': 'email' } }),
    isEnabled,
    url: z.string().meta({
      description: 'Where to POST.',
      example: 'https://forms.example.com/api/inbound/frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    createdAt: timeOut('When it was created.'),
  })
  .meta({ id: 'InboundEndpoint', description: 'An inbound endpoint of a form.' });
export type InboundOut = z.output<typeof InboundOut>;

/** Response of POST …/inbound. */
export const InboundCreatedOut = InboundOut.extend({ token: oneTimeToken, secret: oneTimeSecret }).meta({
  id: 'InboundEndpointCreated',
  description: 'An inbound endpoint that was just created.',
});
export type InboundCreatedOut = z.output<typeof InboundCreatedOut>;

/** Response of PATCH …/inbound. */
export const InboundPatchedOut = InboundOut.extend({ secret: oneTimeSecret }).meta({
  id: 'InboundEndpointPatched',
  description: 'An inbound endpoint after a change.',
});
export type InboundPatchedOut = z.output<typeof InboundPatchedOut>;

/** Response of POST …/inbound/rotate. */
export const InboundRotatedOut = InboundOut.extend({ token: oneTimeToken }).meta({
  id: 'InboundEndpointRotated',
  description: 'An inbound endpoint with a new token; the old one is dead.',
});
export type InboundRotatedOut = z.output<typeof InboundRotatedOut>;

/**
 * An entry of GET …/inbound/requests, without the token and the body.
 * docs/reference/inbound.md#request-log
 */
const InboundRequestOut = z
  .object({
    time: timeOut('When it was answered.'),
    status: z.int().meta({ description: 'HTTP status of the answer.', example: 401 }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'Code of the failure; null for a success.', example: 'UNAUTHORIZED' }),
    ip: z.string().meta({ description: 'Where it came from.', example: '203.0.113.7' }),
    size: z
      .int()
      .nullable()
      .meta({ description: 'Bytes of its body; null where nobody knows.', example: 412 }),
  })
  .meta({ id: 'InboundRequest', description: 'A request to an inbound endpoint, accepted or refused.' });

/** Response of GET …/inbound/requests. */
export const InboundRequestsOut = z
  .array(InboundRequestOut)
  .meta({ id: 'InboundRequests', description: 'The last 50 requests, the latest first; refused ones too.' });
export type InboundRequestsOut = z.output<typeof InboundRequestsOut>;
