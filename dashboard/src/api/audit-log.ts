import type { AuditAction, AuditEntryOut } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { requestPage } from './client.ts';

/** Times are in ISO 8601. */
export interface AuditFilters {
  actor?: string | undefined;
  action?: AuditAction | undefined;
  target?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export const auditLogQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', filters],
    queryFn: ({ pageParam, signal }) =>
      requestPage<AuditEntryOut>('/api/audit-log', {
        query: { ...filters, include: 'resource', cursor: pageParam, limit: 50 },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });
