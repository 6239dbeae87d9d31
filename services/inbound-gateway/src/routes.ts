import { InboundFields, SubmissionCreatedOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http-kit';
import type { RequestLog } from './request-log.ts';
import { receive, type ReceiveDeps } from './receive/receive.ts';

/** The inbound gateway's one call. */
export function routes(
  deps: ReceiveDeps & { requestLog: Pick<RequestLog, 'add'>; now: () => number },
): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/inbound/:formId',
      summary: 'Make a submission from another system',
      access: 'public',
      description:
        'Field values by name, or by the keys of the endpoint’s `fieldMapping`. Keys that are no field are kept under their own name.',
      operationId: 'sendInbound',
      body: InboundFields,
      takesRawBody: true,
      requestHeaders: ['Idempotency-Key', 'X-SvcForms-Signature-256'],
      replyHeaders: ['Idempotency-Replayed'],
      limit: 'inbound',
      status: 202,
      response: SubmissionCreatedOut,
      errors: [
        'NOT_FOUND',
        'UNAUTHORIZED',
        'ENDPOINT_DISABLED',
        'PLAN_RESTRICTED',
        'INVALID_SIGNATURE',
        'INVALID_BODY',
        'VALIDATION_FAILED',
        'IDEMPOTENCY_KEY_REUSED',
        'IDEMPOTENCY_IN_PROGRESS',
      ],
      handler: (request) => receive(deps, request),
      settled: ({ params, ip, status, code, size }) => {
        const time = new Date(deps.now()).toISOString();
        deps.requestLog.add(params['formId'] ?? '', { time, status, code, ip, size });
      },
    }),
  ];
}
