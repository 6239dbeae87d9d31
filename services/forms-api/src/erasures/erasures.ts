import { AppError, type ErasureIn, type Scope } from '@svcforms/contracts';
import type { Reply, RouteRequest } from '@svcforms/http';
import { missingScopes } from '@svcforms/identity';
import { createErasePerson, type ErasePersonDeps } from './erase-person.ts';

/** Erasing deletes data of both. */
const ERASURE_SCOPES = ['submissions:write', 'tasks:manage'] as const satisfies readonly Scope[];

/** POST /api/erasures. The value is neither stored nor logged. docs/reference/privacy.md */
export function createErasures(deps: ErasePersonDeps) {
  const erasePerson = createErasePerson(deps);
  return {
    create: async ({ body, caller, note, audit }: RouteRequest<unknown, ErasureIn>): Promise<Reply> => {
      const [missing] = missingScopes(caller, ERASURE_SCOPES);
      if (missing !== undefined) {
        throw new AppError('INSUFFICIENT_SCOPE', `Erasing needs ${ERASURE_SCOPES.join(' and ')}`, {
          members: { requiredScope: missing },
        });
      }
      const report = await erasePerson(caller.accountId, body.value);
      const counts = {
        submissions: report.submissionIds.length,
        tasks: report.taskIds.length,
        deliveries: report.deliveryIds.length,
      };
      note({ event: 'person.erased', ...counts });
      audit({
        target: { type: 'account', id: caller.accountId },
        changes: Object.fromEntries(Object.entries(counts).map(([name, to]) => [name, { to }])),
      });
      return { data: report };
    },
  };
}
