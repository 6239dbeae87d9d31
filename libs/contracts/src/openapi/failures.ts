import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import { HEADERS_OF_FAILURES } from './headers.ts';
import type { JsonObject } from './json-schemas.ts';
import type { Operation } from './operation.ts';

const BODY = ['INVALID_BODY', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

/** Returns all errors of an operation: its own, and those of every operation of its kind. */
export function failuresOf(operation: Operation): ErrorCode[] {
  const { access, method, path, query, idempotent, limit, needsRecentLogin, errors = [] } = operation;
  const isPublic = access === 'public';
  const codes = new Set<ErrorCode>([
    ...errors,
    ...(isPublic ? [] : (['UNAUTHORIZED'] as const)),
    ...(typeof access === 'object' || access === 'session' ? (['INSUFFICIENT_SCOPE'] as const) : []),
    ...(needsRecentLogin ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
    // Sessions use a cookie, so changes are only accepted from pages of the own origin.
    ...(isPublic || method === 'GET' ? [] : (['ORIGIN_NOT_ALLOWED'] as const)),
    ...(path.includes(':') ? (['NOT_FOUND'] as const) : []),
    ...(query ? (['VALIDATION_FAILED'] as const) : []),
    ...(method === 'GET' || method === 'DELETE' ? [] : BODY),
    // The result of the first request with the key may have been erased.
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

/** The error codes by status. */
export function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

/** Returns the name of the response for these codes. */
export const responseName = (codes: readonly ErrorCode[]): string => codes.join('.');

/**
 * Returns the response for these codes, which have one status. `explanations` by code, CommonMark.
 */
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
        schema: {
          allOf: [
            { $ref: '#output/Problem' },
            {
              type: 'object',
              properties: {
                status: { const: ERRORS[codes[0] ?? 'INTERNAL'].status },
                code: { enum: [...codes] },
              },
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  };
}

/** Additional problem members of some codes. */
const MEMBERS: Partial<Record<ErrorCode, JsonObject>> = {
  INSUFFICIENT_SCOPE: { requiredScope: 'forms:write' },
  UNKNOWN_EVENT_TYPE: { eventTypes: ['hitl.task.created', 'hitl.task.completed', '*'] },
  TASK_ALREADY_SETTLED: { outcome: 'approved' },
  TASK_CLAIMED: {
    claimedBy: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    claimedUntil: '2026-03-14T09:41:53.589Z',
  },
  DEDUPE_KEY_REUSED: {
    errors: [{ pointer: '/dedupeKey', message: 'belongs to a task with a different prefill' }],
  },
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
