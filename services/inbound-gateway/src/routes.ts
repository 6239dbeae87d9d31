import { SubmissionCreatedOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http-kit';
import { receive, type ReceiveDeps } from './receive/receive.ts';

/** The inbound gateway's one call. */
export function routes(deps: ReceiveDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/inbound/:formId',
      summary: 'Make a submission from another system',
      access: 'public',
      takesRawBody: true,
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
      ],
      handler: (request) => receive(deps, request),
    }),
  ];
}
