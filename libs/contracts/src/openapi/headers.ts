import type { ErrorCode } from '../errors/errors.ts';

interface Header {
  description: string;
  schema: { type: 'string' | 'integer'; minLength?: number; maxLength?: number; enum?: readonly string[] };
  example: string | number;
}

const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;

/** Request headers that operations read. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Makes retries safe: for 24 hours, a request with the same key and body gets the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7c4a8d09-ca37-62af-61e5-9520943dc264',
  },
  'If-Match': {
    description: 'Makes the request conditional on what is saved, by the `ETag` of an earlier response.',
    schema: text,
    example: '"3"',
  },
  'Last-Event-ID': {
    description: 'Id of the last event read; the stream resumes after it.',
    schema: text,
    example: 'm5k2h3-4711',
  },
  'Svc-Hops': {
    description:
      'Number of webhook deliveries in a row that led to this request. Deliveries send it; systems that forward one must copy it. A submission with 5 or more is refused.',
    // A string, because several systems may each append a value. The largest count applies; other
    // text is ignored.
    schema: text,
    example: '1',
  },
  'X-SvcForms-Signature-256': {
    description:
      'Hex HMAC-SHA256 of the exact request body with the endpoint’s secret; required if the endpoint has one. With `requireTimestamp` it covers `X-SvcForms-Timestamp`, a dot and the body. The prefix `sha256=` is optional.',
    schema: text,
    example: 'sha256=5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0',
  },
  'X-SvcForms-Timestamp': {
    description:
      'Unix time in seconds, at most 300 seconds from now in either direction; required with `requireTimestamp`, otherwise ignored.',
    schema: text,
    example: '1790000000',
  },
} as const satisfies Record<string, Header>;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers of the requests to webhooks. docs/reference/webhooks.md#request-headers */
export const WEBHOOK_HEADERS = {
  'Svc-Event-Id': {
    description: 'Id of the event. The same on every attempt, resend and recovery.',
    required: true,
    schema: text,
    example: 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  },
  'Svc-Delivery-Id': {
    description: 'Id of the delivery: one event to one webhook.',
    required: true,
    schema: text,
    example: 'del_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  },
  'Svc-Payload-Version': {
    description: 'Version of the payload of the event.',
    required: true,
    schema: text,
    example: '1',
  },
  'Svc-Task-Id': {
    description: 'Id of the task on `decision.*` and `hitl.task.*` events.',
    required: false,
    schema: text,
    example: 'tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  },
  'Svc-Hops': {
    description: 'Number of deliveries in a row that led to this one. Copy it if you forward the request.',
    required: true,
    schema: text,
    example: '1',
  },
  'Svc-Test': {
    description: '`true` on test events, otherwise absent.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Svc-Signature': {
    description: 'HMAC-SHA256 of the timestamp, a dot and the body with the secret of the webhook.',
    required: true,
    schema: text,
    example: 't=1790000000,v1=5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0',
  },
  'webhook-id': {
    description: 'The event id, for the signature of Standard Webhooks.',
    required: true,
    schema: text,
    example: 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  },
  'webhook-timestamp': {
    description: 'When the request was signed: Unix time in seconds.',
    required: true,
    schema: text,
    example: '1790000000',
  },
  'webhook-signature': {
    description:
      'The signatures of Standard Webhooks, separated by spaces: `v1` with the secret, and `v1a` with the private key of the webhook, if it has one.',
    required: true,
    schema: text,
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
} as const satisfies Record<string, Header & { required: boolean }>;

/** Response headers. */
export const REPLY_HEADERS = {
  'X-Request-Id': {
    description:
      'Identifies this request in the log: the id that the request sent in this header, or a new one.',
    schema: text,
    example: '6b1f9c0e-6d5c-4f6f-9d3e-0f3f5f1f0c11',
  },
  'RateLimit-Limit': {
    description: 'Requests per minute; absent without a limit.',
    schema: count,
    example: 600,
  },
  'RateLimit-Remaining': { description: 'Requests left in the bucket.', schema: count, example: 599 },
  'RateLimit-Reset': { description: 'Seconds until the bucket is full.', schema: count, example: 1 },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: count, example: 5 },
  'Idempotency-Replayed': {
    description: '`true` in a replayed response, which omits one-time secrets.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Location: {
    description: 'Path of the created resource.',
    schema: text,
    example: '/api/forms/frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  },
  ETag: { description: 'Tag of what is saved, for `If-Match`.', schema: text, example: '"3"' },
  Link: {
    description: 'URL of the next page with the same query; absent on the last page.',
    schema: text,
    example: '</api/forms?limit=25&cursor=MjAyNi0wMy0xNA>; rel="next"',
  },
  'Svc-Event-Cursor': {
    description: 'Offset in the event log from before the task, for `Last-Event-ID`.',
    schema: text,
    example: 'm5k2h3-4711',
  },
  'Content-Disposition': {
    description: 'File name of the download.',
    schema: text,
    example: 'attachment; filename="form.csv"',
  },
  'Set-Cookie': {
    description: 'Sets or clears the session cookie.',
    schema: text,
    example: 'svc_session=…; HttpOnly',
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text, example: 'Bearer' },
} as const satisfies Record<string, Header>;
export type ReplyHeader = keyof typeof REPLY_HEADERS;

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** Headers of error responses in addition to `X-Request-Id`. */
export const HEADERS_OF_FAILURES: Partial<Record<ErrorCode, readonly ReplyHeader[]>> = {
  UNAUTHORIZED: ['WWW-Authenticate'],
  RATE_LIMITED: ['Retry-After', ...RATE_LIMIT_HEADERS],
  IDEMPOTENCY_IN_PROGRESS: ['Retry-After'],
  TOO_MANY_STREAMS: ['Retry-After'],
  UNAVAILABLE: ['Retry-After'],
};
