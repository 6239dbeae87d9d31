import type { DecisionIn, TaskHistoryOut, TaskOut, TaskQuery } from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

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
    queryKey: [...TASKS_KEY, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      requestPage<TaskOut>('/api/mcp/tasks', { query: { ...filters, cursor: pageParam, limit: 50 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });

export const taskQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...TASKS_KEY, taskId],
    queryFn: ({ signal }) => request<TaskOut>('GET', path(taskId), { signal }),
    refetchInterval: REFRESH_MS,
  });

export const taskHistoryQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...TASKS_KEY, taskId, 'history'],
    queryFn: ({ signal }) => request<TaskHistoryOut[]>('GET', `${path(taskId)}/history`, { signal }),
  });

export const claimTask = (taskId: string) => request<TaskOut>('POST', `${path(taskId)}/claim`);
export const releaseTask = (taskId: string) => request<TaskOut>('POST', `${path(taskId)}/release`);
export const decideTask = (taskId: string, body: DecisionIn) =>
  request<TaskOut>('POST', `${path(taskId)}/decision`, { body });
export const cancelTask = (taskId: string) => request<TaskOut>('POST', `${path(taskId)}/cancel`);
export const redeliverCallback = (taskId: string) =>
  request<TaskOut>('POST', `${path(taskId)}/callback/redeliver`);
