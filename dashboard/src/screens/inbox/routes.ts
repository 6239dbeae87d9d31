import type { TaskPriority, TaskQuery, TaskStatus } from '@svcforms/contracts';
import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../navigation/lazy-screen.ts';
import type { TaskFilters } from '../../api/tasks.ts';
import { searchText, strictSearch } from '../../navigation/strict-search.ts';
import { shellRoute } from '../../shell/shell-route.ts';
import { inboxTexts } from '../../texts/inbox.ts';

/** The filters in the URL. The default status is `awaiting`; `any` means all. */
export interface InboxSearch extends Omit<TaskFilters, 'status'> {
  status?: TaskStatus | 'any';
}

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tasks',
  component: lazyScreen(() => import('./inbox-layout.tsx'), 'InboxLayout'),
  validateSearch: strictSearch(({ status, priority, templateId, assignee, q, sort }): InboxSearch => ({
    ...(isOneOf<TaskStatus | 'any'>(status, { ...inboxTexts.statuses, any: '' }) && { status }),
    ...(isOneOf<TaskPriority>(priority, inboxTexts.priorities) && { priority }),
    ...(isOneOf<TaskQuery['sort']>(sort, inboxTexts.filters.sorts) && { sort }),
    ...(isText(templateId) && { templateId }),
    ...(isText(assignee) && { assignee }),
    ...(searchText(q) && { q: searchText(q) }),
  })),
});

const noTaskRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: '/',
  component: lazyScreen(() => import('./no-task-selected.tsx'), 'NoTaskSelected'),
});

const taskRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: '/$taskId',
  component: lazyScreen(() => import('./task-screen.tsx'), 'TaskScreen'),
});

export const inboxRoutes = inboxRoute.addChildren([noTaskRoute, taskRoute]);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isOneOf<T extends string>(value: unknown, known: Record<T, string>): value is T {
  return typeof value === 'string' && Object.hasOwn(known, value);
}
