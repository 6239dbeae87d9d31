import { z } from 'zod';
import { FieldName } from '../forms/form-field.ts';
import { idOut, refuseProtoKey, timeOut, visibleName } from '../api/schema-parts.ts';

const ownSecret = z.string().min(16).max(256);
const generatedSecret = z.literal(true);

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
      'Maps keys of the request body to field names; unmapped keys keep their names. A key that the body does not contain literally is read as a dotted path into objects and arrays: `customer.mail`, `items.0.sku`.',
    example: { 'customer.mail': 'email' },
  });

const name = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Name of the endpoint, to tell the endpoints of a form apart.', example: 'CRM' });

const requireTimestamp = z.boolean().meta({
  description:
    'Whether requests must be signed with a timestamp: the signature covers `X-SvcForms-Timestamp`, a dot and the body, and may be at most 300 seconds old. Needs a secret.',
  example: false,
});

const NEEDS_SECRET = 'needs a signing secret; send secret too';

const isEnabled = z.boolean().meta({ description: 'Whether the endpoint accepts requests.', example: true });

/**
 * Request body of POST …/inbound and POST …/inbound/endpoints. See
 * docs/reference/inbound.md#create-an-inbound-endpoint.
 */
export const InboundIn = z
  .strictObject({
    secret: z
      .union([ownSecret, generatedSecret])
      .meta({
        description: 'Signing secret of requests; true generates one. Default: requests are not signed.',
        example: true,
      })
      .optional(),
    fieldMapping: fieldMapping.default(() => ({})),
    isEnabled: isEnabled.default(true),
    name: visibleName(name).optional(),
    requireTimestamp: requireTimestamp.optional(),
  })
  .refine((endpoint) => !endpoint.requireTimestamp || endpoint.secret !== undefined, {
    path: ['requireTimestamp'],
    message: NEEDS_SECRET,
  })
  .meta({ id: 'InboundIn', description: 'An inbound endpoint to create.' });
export type InboundIn = z.output<typeof InboundIn>;

/**
 * Request body of PATCH …/inbound and PATCH …/inbound/endpoints/{inboundId}. Absent properties stay
 * unchanged.
 */
export const InboundPatch = z
  .strictObject({
    secret: z
      .union([ownSecret, generatedSecret, z.null()])
      .meta({
        description: 'New signing secret; true generates one, null removes it and `requireTimestamp`.',
        example: true,
      })
      .optional(),
    fieldMapping: fieldMapping.optional(),
    isEnabled: isEnabled.optional(),
    name: visibleName(name).optional(),
    requireTimestamp: requireTimestamp.optional(),
  })
  .refine((patch) => !patch.requireTimestamp || patch.secret !== null, {
    path: ['requireTimestamp'],
    message: NEEDS_SECRET,
  })
  .meta({ id: 'InboundPatch', description: 'Changes to an inbound endpoint.' });
export type InboundPatch = z.output<typeof InboundPatch>;

const oneTimeToken = z.string().nullable().meta({
  description: 'Bearer token, shown only once; null in a replayed idempotent response.',
  example: 'svc_inb_Zm9ydHktdGhyZWUtYmFzZTY0dXJsLWNoYXJhY3RlcnM',
});
const oneTimeSecret = z
  .string()
  .nullable()
  .meta({
    description: 'Generated signing secret, shown only once. Absent if none was generated.',
    example: '6f1d0c3b9a8e47f2b5c4d3e2f1a0b9c8',
  })
  .optional();

/** An inbound endpoint in responses, without its token. */
export const InboundOut = z
  .object({
    id: idOut('inb', 'Id of the endpoint.'),
    formId: idOut('frm', 'Form that receives the submissions.'),
    name,
    tokenLast4: z
      .string()
      .meta({ description: 'Last four characters of the token, to tell tokens apart.', example: 'ZXJz' }),
    hasSecret: z.boolean().meta({ description: 'Whether requests must be signed.', example: false }),
    requireTimestamp,
    fieldMapping: z.record(z.string(), z.string()).meta({
      description: 'Maps keys of the request body to field names.',
      example: { 'customer.mail': 'email' },
    }),
    isEnabled,
    url: z.string().meta({
      description: 'URL to POST submissions to.',
      example: 'https://forms.example.com/api/inbound/frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    createdAt: timeOut('When the endpoint was created.'),
  })
  .meta({ id: 'InboundEndpoint', description: 'An inbound endpoint of a form.' });
export type InboundOut = z.output<typeof InboundOut>;

/** Response data of POST …/inbound. */
export const InboundCreatedOut = InboundOut.extend({ token: oneTimeToken, secret: oneTimeSecret }).meta({
  id: 'InboundEndpointCreated',
  description: 'A new inbound endpoint.',
});
export type InboundCreatedOut = z.output<typeof InboundCreatedOut>;

/** Response data of PATCH …/inbound. */
export const InboundPatchedOut = InboundOut.extend({ secret: oneTimeSecret }).meta({
  id: 'InboundEndpointPatched',
  description: 'An inbound endpoint after a change.',
});
export type InboundPatchedOut = z.output<typeof InboundPatchedOut>;

/** Response data of POST …/inbound/rotate. */
export const InboundRotatedOut = InboundOut.extend({ token: oneTimeToken }).meta({
  id: 'InboundEndpointRotated',
  description: 'An inbound endpoint with a new token; the old token no longer works.',
});
export type InboundRotatedOut = z.output<typeof InboundRotatedOut>;

/** An entry of GET …/inbound/requests, without the token and the values of the body. */
const InboundRequestOut = z
  .object({
    time: timeOut('When the response was sent.'),
    status: z.int().meta({ description: 'Status code of the response.', example: 422 }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'Error code; null for a success.', example: 'VALIDATION_FAILED' }),
    pointer: z.string().nullable().meta({
      description: 'JSON pointer to the first refused value in the body; null if there is none.',
      example: '/email',
    }),
    ip: z.string().meta({ description: 'IP address of the client.', example: '203.0.113.7' }),
    size: z
      .int()
      .nullable()
      .meta({ description: 'Size of the request body in bytes; null if unknown.', example: 412 }),
  })
  .meta({ id: 'InboundRequest', description: 'A request to an inbound endpoint, accepted or refused.' });

/** Response data of GET …/inbound/requests. */
export const InboundRequestsOut = z.array(InboundRequestOut).meta({
  id: 'InboundRequests',
  description: 'The last 50 requests, newest first, including refused ones.',
});
export type InboundRequestsOut = z.output<typeof InboundRequestsOut>;
