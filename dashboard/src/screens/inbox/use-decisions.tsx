import { Button, Group, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { useBeforeLogOut } from '../../api/before-log-out.ts';
import { useMe } from '../../api/session.ts';
import { decideTask, TASKS_KEY } from '../../api/tasks.ts';
import { FailureText } from '../../components/failure-text.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { sessionEnded } from '../../api/session-ended.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { shellTexts } from '../../texts/shell.ts';
import { withMailLink } from '../../api/mail-links.ts';
import { rethrowInWords } from './late-decision.ts';
import { needsMoreVotes } from './may-vote.ts';
import {
  createUndoableDecisions,
  type UndoableDecision,
  type UndoableDecisions,
} from './undoable-decisions.ts';

interface Inbox {
  decisions: UndoableDecisions;
  /** Queues a decision with an undo, and opens the next task. */
  decide: (decided: UndoableDecision) => void;
  /** Queues one decision for several tasks, with one undo for all. Leaves out those with unsent input. */
  decideAll: (tasks: readonly TaskOut[], outcome: 'approved' | 'rejected') => void;
  /** Undoes the decision on a task, or the latest one, and opens its task. */
  undo: (taskId?: string) => void;
}

export const InboxContext = createContext<Inbox | undefined>(undefined);

export function useInbox(): Inbox {
  const inbox = useContext(InboxContext);
  if (!inbox) throw new Error('there is no inbox around this component');
  return inbox;
}

/** The ids of the tasks whose decisions wait or are being sent. */
export function useDecidedIds({ decidedIds, subscribe }: UndoableDecisions): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, decidedIds);
}

/** The decisions of the user. They are sent when the user leaves the inbox or the page. */
export function useDecisions(openNext: (taskId: string) => void): Inbox {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const me = useMe();
  const open = (taskId: string) =>
    void navigate({
      to: '/tasks/$taskId',
      params: { taskId },
      search: (search) => search,
      ignoreBlocker: true,
    });
  // Users may learn elsewhere that a decision was refused, and then find their input in the inbox. The
  // cache has it until the logout.
  const {
    data: { decisions, together },
  } = useQuery({
    queryKey: ['decisions', me.id],
    initialData: () => createDecisions(queryClient, open),
    enabled: false,
    gcTime: Infinity,
  });

  useEffect(() => {
    const sendAll = () => void decisions.sendAll();
    const sendIfHidden = () => document.hidden && sendAll();
    window.addEventListener('pagehide', sendAll);
    document.addEventListener('visibilitychange', sendIfHidden);
    return () => {
      window.removeEventListener('pagehide', sendAll);
      document.removeEventListener('visibilitychange', sendIfHidden);
      void decisions.sendAll().then(() => decisions.forgetSent());
    };
  }, [decisions]);
  // Afterwards they would be refused, with nobody there to decide again.
  useBeforeLogOut(() => decisions.sendAll());

  function undo(taskId?: string): void {
    const undone = decisions.undo(taskId);
    if (undone !== undefined) open(undone);
  }

  function decide(decided: UndoableDecision): void {
    const { task, decision } = decided;
    // The list still has the task, which the next one follows.
    openNext(task.id);
    const done = needsMoreVotes(task, decision, me.id) ? texts.votes.sent : texts.done[decision.outcome];
    if (decisions.decide(decided)) showUndo(toastId(task.id), done, () => undo(task.id));
    else toastSuccess(done);
  }

  function decideAll(selected: readonly TaskOut[], outcome: 'approved' | 'rejected'): void {
    const tasks = selected.filter(({ id }) => !decisions.unsent.has(id));
    if (tasks.length < selected.length) {
      notifications.show({
        color: 'orange',
        message: texts.bulk.unsent,
        closeButtonProps: { 'aria-label': shellTexts.close },
      });
    }
    if (tasks.length === 0) return;
    const draft = { changes: {}, comment: '', rejectOption: '' };
    const decision = { outcome, fields: {} };
    const waiting = tasks.filter((task) => decisions.decide({ task, draft, decision }));
    notifications.hide(ALL_TOAST);
    together.clear();
    for (const { id } of waiting) together.add(id);
    const done = tasks.some((task) => needsMoreVotes(task, decision, me.id))
      ? texts.bulk.sent
      : texts.bulk.done[outcome](tasks.length);
    if (waiting.length === 0) return toastSuccess(done);
    showUndo(ALL_TOAST, done, () => {
      for (const { id } of waiting) decisions.undo(id);
    });
  }

  return { decisions, decide, decideAll, undo };
}

/** The toast of decisions on several tasks. */
const ALL_TOAST = 'decisions';
const toastId = (taskId: string) => `decision-${taskId}`;

function createDecisions(
  queryClient: QueryClient,
  open: (taskId: string) => void,
): {
  decisions: UndoableDecisions;
  /** The tasks that the undo of several decisions is about, while they wait. */
  together: Set<string>;
} {
  const refresh = () => queryClient.invalidateQueries({ queryKey: TASKS_KEY });
  const together = new Set<string>();
  const decisions = createUndoableDecisions({
    send: (taskId, decision) =>
      withMailLink(taskId, (proof) => decideTask(taskId, { ...decision, ...proof }, true)).catch(
        rethrowInWords,
      ),
    onEnd({ task }) {
      notifications.hide(toastId(task.id));
      if (together.delete(task.id) && together.size === 0) notifications.hide(ALL_TOAST);
    },
    onSent: refresh,
    onFailed({ task }, error) {
      void refresh();
      if (isApiError(error) && error.status === 401) sessionEnded.start();
      notifications.show({
        id: toastId(task.id),
        color: 'red',
        title: texts.notSent(task.title ?? texts.untitled),
        message: (
          <>
            <FailureText error={error} />
            <Button
              mt="xs"
              size="compact-sm"
              variant="default"
              onClick={() => {
                notifications.hide(toastId(task.id));
                open(task.id);
              }}
            >
              {texts.openTask}
            </Button>
          </>
        ),
        autoClose: false,
        closeButtonProps: { 'aria-label': shellTexts.close },
      });
    },
  });
  return { decisions, together };
}

function showUndo(id: string, done: string, undo: () => void): void {
  notifications.show({
    id,
    color: 'green',
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text>{done}</Text>
        <Button size="compact-sm" variant="default" onClick={undo}>
          {texts.undoDecision}
        </Button>
      </Group>
    ),
    // The toast closes when the decision can no longer be undone.
    autoClose: false,
    withCloseButton: false,
  });
}
