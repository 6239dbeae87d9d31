import {
  DeliveryOut,
  ExportQuery,
  SubmissionCreatedOut,
  SubmissionIn,
  SubmissionOut,
  SubmissionQuery,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createExport, EXPORT_TYPES, type ExportDeps } from './export-submissions.ts';
import { createOwnSubmission } from './own-submission.ts';
import { createRelease } from './release-submission.ts';
import { createSubmissionDeliveries, type SubmissionDeliveriesDeps } from './submission-deliveries.ts';
import { createSubmissions, type SubmissionsDeps } from './submissions.ts';
import { createSubmit, type SubmitDeps } from './submit.ts';

const SUBMISSIONS = '/api/forms/:formId/submissions';
const SUBMISSION = '/api/submissions/:submissionId';

const readSubmissions = { scope: 'submissions:read' } as const;

type SubmissionRouteDeps = SubmitDeps & SubmissionsDeps & SubmissionDeliveriesDeps & ExportDeps;

export function submissionRoutes(routeDeps: SubmissionRouteDeps): Route[] {
  const deps = { ...routeDeps, ownSubmission: createOwnSubmission(routeDeps) };
  const submissions = createSubmissions(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: SUBMISSIONS, summary: 'Submit a form', access: 'public', crossOrigin: true, limit: 'public',
      keepsAnyText: true, body: SubmissionIn, status: 201, response: SubmissionCreatedOut, idempotent: true,
      requestHeaders: ['Svc-Hops'], errors: ['NOT_FOUND', 'FORM_CLOSED', 'ORIGIN_NOT_ALLOWED', 'LOOP_DETECTED'], audit: null, handler: createSubmit(deps) }),
    route({ method: 'GET', path: SUBMISSIONS, summary: 'List the submissions of a form', operationId: 'listSubmissions',
      access: readSubmissions, query: SubmissionQuery, status: 200, response: SubmissionOut, handler: submissions.list }),
    route({ method: 'GET', path: `${SUBMISSIONS}/export`, summary: 'Export the submissions of a form', operationId: 'exportSubmissions',
      access: readSubmissions, query: ExportQuery, status: 200, replyTypes: EXPORT_TYPES, replyHeaders: ['Content-Disposition'],
      handler: createExport(deps) }),
    route({ method: 'GET', path: SUBMISSION, summary: 'Get a submission', access: readSubmissions,
      status: 200, response: SubmissionOut, errors: ['NOT_FOUND'], handler: submissions.get }),
    route({ method: 'POST', path: `${SUBMISSION}/release`, summary: 'Release a submission from quarantine', operationId: 'releaseSubmission',
      access: { scope: 'submissions:write' }, status: 200, response: SubmissionOut, errors: ['NOT_FOUND', 'CONFLICT'],
      audit: 'submission.released', handler: createRelease(deps) }),
    route({ method: 'GET', path: `${SUBMISSION}/deliveries`, summary: 'List the deliveries of a submission', operationId: 'listDeliveriesOfSubmission',
      description: 'Its deliveries to the webhooks of the form and of the account, newest first, on one page. If a task created it, those of the decision, too.', access: { scope: 'forms:webhooks:manage' },
      status: 200, response: DeliveryOut, isOnePage: true, errors: ['NOT_FOUND'], handler: createSubmissionDeliveries(deps) }),
    route({ method: 'DELETE', path: SUBMISSION, summary: 'Delete a submission', access: { scope: 'submissions:write' },
      status: 204, audit: 'submission.deleted', handler: submissions.remove }),
  ];
}
