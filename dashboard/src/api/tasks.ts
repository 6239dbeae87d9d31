import type { DecisionIn, DelegateIn, TaskHistoryOut, TaskOut, TaskQuery } from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';
import { pagedQuery } from './paged-query.ts';
import { MAX_MATCHES, QUICK_SEARCH } from './quick-search.ts';

export type TaskFilters = Partial<
  Pick<TaskQuery, 'status' | 'priority' | 'templateId' | 'assignee' | 'q' | 'sort'>
>;

const path = (taskId: string) => `/api/mcp/tasks/${taskId}`;
/** Polling covers claims, which have no event. */
const REFRESH_MS = 30_000;

/** Every key starts with it, so that one invalidation covers all of them. */
export const TASKS_KEY = ['tasks'] as const;

export const taskListQuery = (filters: TaskFilters) =>
  infiniteQueryOptions({
    ...pagedQuery<TaskOut>([...TASKS_KEY, 'list', filters], '/api/mcp/tasks', { ...filters, limit: 50 }),
    refetchInterval: REFRESH_MS,
  });

/** The newest tasks that match a text, whatever their status. */
export const matchingTasksQuery = (q: string) =>
  queryOptions({
    queryKey: [...TASKS_KEY, 'matching', q],
    queryFn: async ({ signal }) =>
      (await requestPage<TaskOut>('/api/mcp/tasks', { query: { q, limit: MAX_MATCHES }, signal })).data,
    ...QUICK_SEARCH,
  });

/** More pending tasks than these are shown as `99+`. */
const MAX_COUNT = 99;

/** The number of pending tasks, of all forms or one, as a text: `7` or `99+`; empty without any. */
export async function countPendingTasks(templateId?: string, signal?: AbortSignal): Promise<string> {
  const query = { status: 'awaiting', templateId, limit: MAX_COUNT };
  const { data, pagination } = await requestPage<TaskOut>('/api/mcp/tasks', { query, signal });
  if (data.length === 0) return '';
  return pagination.nextCursor === null ? String(data.length) : `${data.length}+`;
}

export const pendingTaskCountQuery = queryOptions({
  queryKey: [...TASKS_KEY, 'count'],
  queryFn: ({ signal }) => countPendingTasks(undefined, signal),
  refetchInterval: REFRESH_MS,
});

export const readTask = (taskId: string, options: { signal?: AbortSignal; timeoutMs?: number }) =>
  request<TaskOut>('GET', path(taskId), options);

export const taskQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...TASKS_KEY, taskId],
    queryFn: ({ signal }) => readTask(taskId, { signal }),
    meta: { showsMissing: true },
    refetchInterval: REFRESH_MS,
  });

export const taskHistoryQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...TASKS_KEY, taskId, 'history'],
    queryFn: ({ signal }) => request<TaskHistoryOut[]>('GET', `${path(taskId)}/history`, { signal }),
  });

export const claimTask = (taskId: string) => request<TaskOut>('POST', `${path(taskId)}/claim`);
export const releaseTask = (taskId: string) => request<TaskOut>('POST', `${path(taskId)}/release`);
/** `keepalive`: the request outlives the page. */
export const decideTask = (taskId: string, body: DecisionIn, keepalive: boolean) =>
  request<TaskOut>('POST', `${path(taskId)}/decision`, { body, keepalive });
export const delegateTask = (taskId: string, body: DelegateIn) =>
  request<TaskOut>('POST', `${path(taskId)}/delegate`, { body });
export const cancelTask = (taskId: string) => request<TaskOut>('POST', `${path(taskId)}/cancel`);
export const redeliverCallback = (taskId: string) =>
  request<TaskOut>('POST', `${path(taskId)}/callback/redeliver`);
