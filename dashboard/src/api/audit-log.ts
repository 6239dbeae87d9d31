import type { AuditAction, AuditEntryOut } from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
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
    queryFn: ({ pageParam, signal }) => requestEntries({ ...filters, cursor: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

/** The maximum page size of the API. */
const MAX_CREATED = 100;

/** The resources of a kind that were created last and still exist, newest first. */
export const createdQuery = (action: 'webhook.created' | 'inbound.created' | 'task.created') =>
  queryOptions({
    queryKey: ['audit-log', 'created', action],
    async queryFn({ signal }) {
      const { data } = await requestEntries({ action, limit: MAX_CREATED }, signal);
      return data.filter(({ resource }) => resource);
    },
    staleTime: 60_000,
  });

/** Entries with their targets as they are now. */
const requestEntries = (
  query: AuditFilters & { cursor?: string | undefined; limit: number },
  signal: AbortSignal,
) => requestPage<AuditEntryOut>('/api/audit-log', { query: { ...query, include: 'resource' }, signal });
