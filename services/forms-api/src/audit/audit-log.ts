import type { AuditChanges, AuditEntryOut, AuditQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type AuditRecord, type Reply, type RouteRequest } from '@svcforms/http';
import { createdBetween } from '../created-between.ts';
import { createAuditResources, type AuditResourcesDeps } from './audit-resources.ts';

export interface AuditLogDeps extends AuditResourcesDeps {
  auditLog: Pick<Collection<AuditRecord>, 'find'>;
}

/**
 * The audit log of the caller's account, newest first. @svcforms/http writes it; no API call
 * changes it.
 */
export function createAuditLogList({ auditLog, ...deps }: AuditLogDeps) {
  const resourcesOf = createAuditResources(deps);
  return async function list({ query, caller }: RouteRequest<AuditQuery>): Promise<Reply> {
    const { actor, action, target, since, until, include, ...page } = query;
    const filter = {
      accountId: caller.accountId,
      ...(actor === undefined ? {} : { 'actor.id': actor }),
      ...(action === undefined ? {} : { action }),
      ...(target === undefined ? {} : { 'target.id': target }),
      ...createdBetween({ since, until }),
    };
    const { items, pagination } = await findPage(auditLog, filter, { prefix: 'aud', ...page });
    if (include === undefined) return { data: items.map(auditEntryOut), pagination };
    const resourceOf = await resourcesOf(
      caller,
      items.map((row) => row.target),
    );
    const data = items.map((row) => ({ ...auditEntryOut(row), resource: resourceOf(row.target) }));
    return { data, pagination };
  };
}

function auditEntryOut({ _id, createdAt, actor, ip, action, target, changes }: AuditRecord): AuditEntryOut {
  return { id: _id, createdAt, actor, ip, action, target, changes: JSON.parse(changes) as AuditChanges };
}
