import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import { HEADERS_OF_FAILURES } from './headers.ts';
import type { JsonObject } from './json-schemas.ts';
import type { Operation } from './operation.ts';

const BODY = ['INVALID_BODY', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

/**
 * Every error code that an operation can return: those that it lists, and those common to its kind.
 */
export function failuresOf(operation: Operation): ErrorCode[] {
  const { access, method, path, query, idempotent, limit, errors = [] } = operation;
  const { needsRecentLogin, beforePasswordChange } = operation;
  const isPublic = access === 'public';
  const codes = new Set<ErrorCode>([
    ...errors,
    ...(isPublic ? [] : (['UNAUTHORIZED'] as const)),
    ...(typeof access === 'object' || access === 'session' ? (['INSUFFICIENT_SCOPE'] as const) : []),
    ...(isPublic || beforePasswordChange ? [] : (['PASSWORD_CHANGE_REQUIRED'] as const)),
    ...(needsRecentLogin ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
    // Browsers may send the session cookie with requests of other sites, so changes are accepted
    // only from our own pages.
    ...(isPublic || method === 'GET' ? [] : (['ORIGIN_NOT_ALLOWED'] as const)),
    ...(path.includes(':') ? (['NOT_FOUND'] as const) : []),
    ...(query ? (['VALIDATION_FAILED'] as const) : []),
    ...(method === 'GET' || method === 'DELETE' ? [] : BODY),
    // The resource that the first request with the key created may have been erased.
    ...(idempotent && !isPublic ? (['ERASED'] as const) : []),
    ...(idempotent
      ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'VALIDATION_FAILED'] as const)
      : []),
    ...(isPublic && !limit ? [] : (['RATE_LIMITED'] as const)),
    'INTERNAL',
    'UNAVAILABLE',
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Groups error codes by status code, lowest first. */
export function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

/** The name of the shared response of these error codes. */
export const responseName = (codes: readonly ErrorCode[]): string => codes.join('.');

/** The response for error codes that have the same status. `explanations` are in CommonMark. */
export function failureResponse(
  codes: readonly ErrorCode[],
  explanations: Readonly<Record<ErrorCode, string>>,
): JsonObject {
  const headers = new Set(['X-Request-Id', ...codes.flatMap((code) => HEADERS_OF_FAILURES[code] ?? [])]);
  return {
    description: codes.map((code) => `\`${code}\`: ${explanations[code]}`).join('\n\n'),
    headers: Object.fromEntries([...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/problem+json': {
        // Without the codes of this response, because generators can't merge them with the schema.
        schema: { $ref: '#output/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  };
}

/** Examples of the extension members that only some errors have. */
const MEMBERS: Partial<Record<ErrorCode, JsonObject>> = {
  SECOND_FACTOR_REQUIRED: { challenge: 'svc_2fa_…' },
  INSUFFICIENT_SCOPE: { requiredScope: 'forms:write' },
  UNKNOWN_EVENT_TYPE: { eventTypes: ['hitl.task.created', 'hitl.task.completed', '*'] },
  TASK_ALREADY_SETTLED: { outcome: 'approved' },
  NOT_A_REVIEWER: { reason: 'not_listed' },
  TASK_CLAIMED: {
    claimedBy: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    claimedUntil: '2026-03-14T09:41:53.589Z',
  },
  DEDUPE_KEY_REUSED: {
    errors: [{ pointer: '/dedupeKey', message: 'belongs to a task with a different prefill' }],
  },
  INVALID_RECEIPT: { errors: [{ pointer: '/receipt', message: 'is not a receipt of this account' }] },
  RECEIPT_EXPIRED: { errors: [{ pointer: '/receipt', message: 'expired at 2026-03-15T09:26:53.000Z' }] },
  ACTION_CHANGED: { errors: [{ pointer: '/args', message: 'are not the approved ones' }] },
  RECEIPT_REDEEMED: { redeemedAt: '2026-03-14T09:27:10.004Z' },
  VALIDATION_FAILED: { errors: [{ pointer: '/name', message: 'is required' }] },
};

function example(code: ErrorCode): JsonObject {
  const { status, title } = ERRORS[code];
  return {
    type: `https://forms.example.com/docs/errors#${code}`,
    title,
    status,
    code,
    success: false,
    message: code === 'VALIDATION_FAILED' ? '/name: is required' : title,
    requestId: '6b1f9c0e-6d5c-4f6f-9d3e-0f3f5f1f0c11',
    ...MEMBERS[code],
  };
}
