import type { ErrorCode } from '../errors/errors.ts';

interface Header {
  description: string;
  schema: { type: 'string' | 'integer'; minLength?: number; maxLength?: number; enum?: readonly string[] };
  example: string | number;
}

const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;

/** Request headers. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7c4a8d09-ca37-62af-61e5-9520943dc264',
  },
  'If-Match': {
    description: 'Only if the saved version is still this one, as `ETag` and `version` told it.',
    schema: text,
    example: '"3"',
  },
  'Last-Event-ID': {
    description: 'Id of the last event that was read; the stream goes on after it.',
    schema: text,
    example: 'm5k2h3-4711',
  },
  'Svc-Hops': {
    description:
      'How many webhook deliveries in a row led to this request; deliveries send it, and a system that forwards one copies it. From 5 on the submission is refused.',
    // Several systems may append to the header; the largest number counts.
    schema: text,
    example: '1',
  },
  'X-SvcForms-Signature-256': {
    description:
      'Hex HMAC-SHA256 of the exact body, keyed with the endpoint’s secret; needed where it has one. With `requireTimestamp` it is over `X-SvcForms-Timestamp`, a dot and the body. `sha256=` may stand before it.',
    schema: text,
    example: 'sha256=5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0',
  },
  'X-SvcForms-Timestamp': {
    description:
      'Unix seconds, at most 300 from now either way; needed where the endpoint has `requireTimestamp`, ignored elsewhere.',
    schema: text,
    example: '1790000000',
  },
} as const satisfies Record<string, Header>;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Response headers. */
export const REPLY_HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in the log: the id that came in this header, or a new one.',
    schema: text,
    example: '6b1f9c0e-6d5c-4f6f-9d3e-0f3f5f1f0c11',
  },
  'RateLimit-Limit': {
    description: 'Requests a minute; absent without a limit.',
    schema: count,
    example: 600,
  },
  'RateLimit-Remaining': { description: 'How many may come at once now.', schema: count, example: 599 },
  'RateLimit-Reset': { description: 'Seconds until all may come at once again.', schema: count, example: 1 },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: count, example: 5 },
  'Idempotency-Replayed': {
    description: '`true` on the answer to a repetition, which holds no one-time secrets.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Location: {
    description: 'Path of what was created.',
    schema: text,
    example: '/api/forms/frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  },
  ETag: { description: 'The saved version, for `If-Match`.', schema: text, example: '"3"' },
  Link: {
    description: 'The next page, with the same query; absent on the last one.',
    schema: text,
    example: '</api/forms?limit=25&cursor=MjAyNi0wMy0xNA>; rel="next"',
  },
  'Svc-Event-Cursor': {
    description: 'A place in the log of events from before this request, for `Last-Event-ID`.',
    schema: text,
    example: 'm5k2h3-4711',
  },
  'Content-Disposition': {
    description: 'A name for the file.',
    schema: text,
    example: 'attachment; filename="form.csv"',
  },
  'Set-Cookie': { description: 'The session, or its end.', schema: text, example: 'svc_session=…; HttpOnly' },
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
