import { Box, Checkbox, Stack, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { IconInbox } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { refreshOn } from '../../api/event-stream.ts';
import { useHasScope, useMe } from '../../api/session.ts';
import { pendingTaskCountQuery, taskListQuery, TASKS_KEY } from '../../api/tasks.ts';
import { useContinuedSearch } from '../../api/use-continued-search.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Outdated } from '../../components/outdated.tsx';
import { Page } from '../../components/page.tsx';
import { hasSearch } from '../../navigation/strict-search.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { TaskFilterInputs } from './task-filters.tsx';
import './inbox.css';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { mayVote } from './may-vote.ts';
import { SelectionBar } from './selection-bar.tsx';
import { TaskLink } from './task-link.tsx';
import { InboxContext, useDecisions, useDecidedIds } from './use-decisions.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const EVENTS = ['hitl.task.created', 'hitl.task.completed', 'hitl.task.expired', 'hitl.task.cancelled'];

/** The task list, and the open task beside it. */
export function InboxLayout() {
  const { status = 'awaiting', ...rest } = useSearch({ from: '/shell/tasks' });
  const { taskId } = useParams({ strict: false });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [showsKeys, setShowsKeys] = useState(false);
  const list = useInfiniteQuery({
    ...taskListQuery({ ...rest, ...(status !== 'any' && { status }) }),
    placeholderData: keepPreviousData,
  });
  const { data: count } = useQuery(pendingTaskCountQuery);
  const listed = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const inbox = useDecisions(openNext);
  const decidedIds = useDecidedIds(inbox.decisions);
  // A task that this user has just decided isn't pending anymore.
  const tasks = listed.filter((task) => task.status !== 'awaiting' || !decidedIds.has(task.id));
  const isSearching = useContinuedSearch(list, tasks.length);
  const me = useMe();
  const decides = useHasScope('tasks:decide');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const canSelect = (task: TaskOut) =>
    decides && task.status === 'awaiting' && task.decisionMode === 'approval' && mayVote(task, me.id);
  const selectable = tasks.filter(canSelect);
  const selected = selectable.filter(({ id }) => chosen.has(id));
  const toggle = (id: string) =>
    setChosen((now) => new Set(now.has(id) ? [...now].filter((other) => other !== id) : [...now, id]));

  useEffect(
    () => refreshOn(EVENTS, () => queryClient.invalidateQueries({ queryKey: TASKS_KEY })),
    [queryClient],
  );

  /** Opens the pending task after this one in the list, or else the one before it. */
  function openNext(decidedId: string): void {
    const open = tasks.filter((task) => task.status === 'awaiting' || task.id === decidedId);
    const at = open.findIndex(({ id }) => id === decidedId);
    const next = open[at + 1] ?? open[at - 1];
    if (next && next.id !== decidedId) {
      void navigate({
        to: '/tasks/$taskId',
        params: { taskId: next.id },
        search: (search) => search,
        ignoreBlocker: true,
      });
    } else void navigate({ to: '/tasks', search: (search) => search, ignoreBlocker: true });
  }

  const go = (by: number) => {
    const at = tasks.findIndex(({ id }) => id === taskId);
    // Without the open task in the list, the keys start at the first task.
    const next = tasks[at < 0 ? 0 : Math.min(Math.max(at + by, 0), tasks.length - 1)];
    if (!next || next.id === taskId) return;
    void navigate({ to: '/tasks/$taskId', params: { taskId: next.id }, search: (search) => search });
  };
  useShortcuts({
    j: () => go(1),
    k: () => go(-1),
    '/': () => document.querySelector<HTMLInputElement>('.inbox-list input[type=search]')?.focus(),
    '?': () => setShowsKeys(true),
    x: taskId !== undefined && selectable.some(({ id }) => id === taskId) ? () => toggle(taskId) : undefined,
    z: inbox.undoLatest,
    Enter: () => document.querySelector<HTMLElement>('.inbox-chosen :is(h2, a)')?.focus(),
  });

  const isFiltered = status !== 'awaiting' || hasSearch(rest);
  return (
    <InboxContext value={inbox}>
      <div className="inbox" data-open={taskId !== undefined}>
        <div className="inbox-list">
          <Page
            title={texts.title}
            count={count}
            actions={<ShortcutsDialog opened={showsKeys} onChange={setShowsKeys} />}
          >
            <TaskFilterInputs />
            {(list.isPending || isSearching) && <Loading shape="rows" />}
            {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
            {list.data && tasks.length === 0 && !isSearching && (
              <EmptyState icon={IconInbox} text={isFiltered ? texts.nothingFound : texts.empty} />
            )}
            <Outdated when={list.isPlaceholderData}>
              <SelectionBar
                count={selected.length}
                total={selectable.length}
                onSelectAll={() => setChosen(new Set(selectable.map(({ id }) => id)))}
                onClear={() => setChosen(new Set())}
                onDecide={(outcome) => {
                  inbox.decideAll(selected, outcome);
                  setChosen(new Set());
                }}
              />
              <Stack gap={0} component="nav" aria-label={texts.list}>
                {tasks.map((task) => (
                  <div key={task.id} className="inbox-row">
                    {canSelect(task) && (
                      <Checkbox
                        aria-label={texts.bulk.select(task.title ?? texts.untitled)}
                        checked={chosen.has(task.id)}
                        onChange={() => toggle(task.id)}
                      />
                    )}
                    <TaskLink task={task} />
                  </div>
                ))}
              </Stack>
              <MoreButton query={list} />
            </Outdated>
          </Page>
        </div>
        <Box className="inbox-chosen">
          <Outlet />
        </Box>
        <Text role="status" className="visually-hidden">
          {list.data && !list.isPlaceholderData && texts.listed(tasks.length)}
        </Text>
      </div>
    </InboxContext>
  );
}
