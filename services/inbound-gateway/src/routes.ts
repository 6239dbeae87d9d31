import { InboundFields, SubmissionCreatedOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
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
        'Field values by name, or by the keys of the `fieldMapping` of the endpoint that the token belongs to. Keys that are no field are kept under their own name; so is `token`, unless it is the credential.',
      operationId: 'sendInbound',
      body: InboundFields,
      takesRawBody: true,
      requestHeaders: ['Idempotency-Key', 'Svc-Hops', 'X-SvcForms-Signature-256', 'X-SvcForms-Timestamp'],
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
        'LOOP_DETECTED',
      ],
      audit: null,
      handler: (request) => receive(deps, request),
      onResponse: ({ params, ip, status, code, size, countedFor }) => {
        const time = new Date(deps.now()).toISOString();
        deps.requestLog.add(
          { formId: params.formId, endpointId: countedFor },
          { time, status, code, ip, size },
        );
      },
    }),
  ];
}
