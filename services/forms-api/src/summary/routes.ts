import { FormSummaryOut, StatsQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createFormSummary, type FormSummaryDeps } from './form-summary.ts';

export function summaryRoutes(deps: FormSummaryDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/forms/:formId/summary',
      summary: 'Summarize the submissions of a form by question',
      operationId: 'getSummary',
      access: { scope: 'submissions:read' },
      query: StatsQuery,
      status: 200,
      response: FormSummaryOut,
      errors: ['NOT_FOUND'],
      handler: createFormSummary(deps),
    }),
  ];
}
