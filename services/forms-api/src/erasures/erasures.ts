import { AppError, type ErasureIn, type Scope } from '@svcforms/contracts';
import type { Reply, RouteRequest } from '@svcforms/http';
import { missingScopes } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { createErasePerson, createErasureReport, type ErasePersonDeps } from './erase-person.ts';

/** Erasing deletes data of both. */
const ERASURE_SCOPES = ['submissions:write', 'tasks:manage'] as const satisfies readonly Scope[];

export interface ErasuresDeps extends ErasePersonDeps {
  now: Clock;
}

/** POST /api/erasures. The value is neither stored nor logged. docs/reference/privacy.md */
export function createErasures(deps: ErasuresDeps) {
  const erasePerson = createErasePerson(deps);
  return {
    create: async ({ body, caller, note, audit }: RouteRequest<unknown, ErasureIn>): Promise<Reply> => {
      const [missing] = missingScopes(caller, ERASURE_SCOPES);
      if (missing !== undefined) {
        throw new AppError('INSUFFICIENT_SCOPE', `Erasing needs ${ERASURE_SCOPES.join(' and ')}`, {
          members: { requiredScope: missing },
        });
      }
      const report = createErasureReport(body.value);

      function record(): void {
        const { submissionIds, taskIds, deliveryIds, endpoints } = report.found();
        const counts = {
          submissions: submissionIds.length,
          tasks: taskIds.length,
          deliveries: deliveryIds.length,
        };
        // A client whose request fails gets no report. Without URLs, which are often credentials.
        const receivers = endpoints.map(({ kind, id, receivedAt }) => ({ kind, id, receivedAt }));
        note({ event: 'person.erased', ...counts, receivers });
        audit({
          target: { type: 'account', id: caller.accountId },
          changes: Object.fromEntries(Object.entries(counts).map(([name, to]) => [name, { to }])),
        });
      }

      await erasePerson(caller.accountId, body.value, report).catch((error: unknown) => {
        if (!report.isEmpty()) record();
        throw error;
      });
      record();
      return { data: { erasedAt: isoTime(deps.now()), ...report.found() } };
    },
  };
}
