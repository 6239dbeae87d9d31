import type { AuditChanges, AuditEntryOut, AuditQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type AuditRecord, type Reply, type RouteRequest } from '@svcforms/http';

export interface AuditLogDeps {
  auditLog: Pick<Collection<AuditRecord>, 'find'>;
}

/** The audit log of the caller's account, newest first. @svcforms/http writes it; no API call changes it. */
export function createAuditLogList({ auditLog }: AuditLogDeps) {
  return async function list({ query, caller }: RouteRequest<AuditQuery>): Promise<Reply> {
    const { actor, action, target, since, until, ...page } = query;
    const filter = {
      accountId: caller.accountId,
      ...(actor === undefined ? {} : { 'actor.id': actor }),
      ...(action === undefined ? {} : { action }),
      ...(target === undefined ? {} : { 'target.id': target }),
      ...(since === undefined && until === undefined
        ? {}
        : {
            createdAt: {
              ...(since === undefined ? {} : { $gte: since }),
              ...(until === undefined ? {} : { $lt: until }),
            },
          }),
    };
    const { items, pagination } = await findPage(auditLog, filter, { prefix: 'aud', ...page });
    return { data: items.map(auditEntryOut), pagination };
  };
}

function auditEntryOut({ _id, createdAt, actor, ip, action, target, changes }: AuditRecord): AuditEntryOut {
  return { id: _id, createdAt, actor, ip, action, target, changes: JSON.parse(changes) as AuditChanges };
}
