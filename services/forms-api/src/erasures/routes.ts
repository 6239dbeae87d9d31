import { ErasureIn, ErasureOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createErasures, type ErasuresDeps } from './erasures.ts';

export function erasureRoutes(deps: ErasuresDeps): Route[] {
  const erasures = createErasures(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/erasures', summary: 'Erase the data of a person by a field value', operationId: 'createErasure', access: { scope: 'submissions:write', allForms: true },
      description: 'Also needs `tasks:manage`. Once this call responds, the API returns no data of the person. Copies in the event log, in emails stored as files and in the embedded database file are erased within a minute. The report is not stored. You can repeat the call, such as after a failure: it erases and reports what is left.',
      body: ErasureIn, status: 201, response: ErasureOut, audit: 'erasure.created', handler: erasures.create }),
  ];
}
