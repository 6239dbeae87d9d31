import type { AuditAction, AuditEntryOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { requestPage } from './client.ts';
import { pagedQuery } from './paged-query.ts';

/** Times are in ISO 8601. */
export interface AuditFilters {
  actor?: string | undefined;
  action?: AuditAction | undefined;
  target?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const PATH = '/api/audit-log';
/** Entries with their targets as they are now. */
const WITH_RESOURCES = { include: 'resource' };

export const auditLogQuery = (filters: AuditFilters) =>
  pagedQuery<AuditEntryOut>(['audit-log', filters], PATH, { ...filters, ...WITH_RESOURCES, limit: 50 });

/** The maximum page size of the API. */
const MAX_CREATED = 100;

/** The resources of a kind that were created last and still exist, newest first. */
export const createdQuery = (action: 'webhook.created' | 'inbound.created' | 'task.created') =>
  queryOptions({
    queryKey: ['audit-log', 'created', action],
    async queryFn({ signal }) {
      const query = { action, ...WITH_RESOURCES, limit: MAX_CREATED };
      const { data } = await requestPage<AuditEntryOut>(PATH, { query, signal });
      return data.filter(({ resource }) => resource);
    },
    staleTime: 60_000,
  });
