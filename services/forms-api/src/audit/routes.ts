import { AuditEntryOut, AuditQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createAuditLogList, type AuditLogDeps } from './audit-log.ts';

export function auditRoutes(deps: AuditLogDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/audit-log', summary: 'List the audit log', operationId: 'listAuditLog', access: { scope: 'audit:read', allForms: true },
      description: 'Who changed what, newest first. Rows never change; they are deleted after `SVC_AUDIT_RETENTION_DAYS`.',
      query: AuditQuery, status: 200, response: AuditEntryOut, handler: createAuditLogList(deps) }),
  ];
}
