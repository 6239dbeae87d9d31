import { InboundFields, storableText, SubmissionCreatedOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { RequestLog } from './request-log.ts';
import { createReceive, type ReceiveDeps } from './receive/receive.ts';

/** Senders choose the keys of a body, and so the length of a pointer. */
const MAX_POINTER = 200;

/** The only route of the inbound gateway. */
export function routes(deps: ReceiveDeps & { requestLog: Pick<RequestLog, 'add'>; now: Clock }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/inbound/:formId',
      summary: 'Create a submission from another system',
      access: 'public',
      description:
        'Values by field name, or by key of the `fieldMapping` of the endpoint that the token belongs to. Keys without a field keep their names; so does `token`, unless it is the credential.',
      operationId: 'sendInbound',
      body: InboundFields,
      takesRawBody: true,
      isHot: true,
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
        'FORM_CLOSED',
        'VALIDATION_FAILED',
        'IDEMPOTENCY_KEY_REUSED',
        'IDEMPOTENCY_IN_PROGRESS',
        'LOOP_DETECTED',
      ],
      audit: null,
      handler: createReceive(deps),
      onResponse: ({ params, ip, status, code, pointer, size, countedFor }) => {
        const time = isoTime(deps.now());
        deps.requestLog.add(
          { formId: params.formId, endpointId: countedFor },
          {
            time,
            status,
            code,
            ...(pointer && { pointer: storableText(pointer.slice(0, MAX_POINTER)) }),
            ip,
            size,
          },
        );
      },
    }),
  ];
}
