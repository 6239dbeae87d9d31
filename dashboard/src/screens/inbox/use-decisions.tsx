import { Button, Group, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { useBeforeLogOut } from '../../api/before-log-out.ts';
import { useMe } from '../../api/session.ts';
import { decideTask, taskQuery, TASKS_KEY } from '../../api/tasks.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { sessionEnded } from '../../api/session-ended.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { shellTexts } from '../../texts/shell.ts';
import { withMailLink } from '../../api/mail-links.ts';
import { rethrowInWords } from './late-decision.ts';
import { decidedTask } from './lost-response.ts';
import { needsMoreVotes } from './may-vote.ts';
import { createRefusedDecisions, type RefusedDecisions } from './refused-decisions.tsx';
import {
  createUndoableDecisions,
  type UndoableDecision,
  type UndoableDecisions,
} from './undoable-decisions.ts';

interface Inbox {
  decisions: UndoableDecisions;
  /** Removes the notice that the server refused the decision on a task. */
  forgetRefusal: (taskId: string) => void;
  /** Queues a decision with an undo, and opens the next task. */
  decide: (decided: UndoableDecision) => void;
  /**
   * Queues one decision for several tasks, with one undo for all. Leaves out those with unsent
   * input.
   */
  decideAll: (tasks: readonly TaskOut[], outcome: 'approved' | 'rejected') => void;
  /** Undoes the decision on a task and opens it. */
  undo: (taskId: string) => void;
  /** Undoes what the user decided last: one task or several. */
  undoLatest: () => void;
}

/** A toast with the undo of one or several decisions. */
interface UndoToast {
  id: string;
  undo: () => void;
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
  // Asks before it leaves unsent input in another task.
  const open = (taskId: string) =>
    void navigate({ to: '/tasks/$taskId', params: { taskId }, search: (search) => search });
  // Users may learn elsewhere that a decision was refused, and then find their input in the inbox.
  // The cache has it until the logout.
  const {
    data: { decisions, toasts, refused },
  } = useQuery({
    queryKey: ['decisions', me.id],
    initialData: () => createDecisions(queryClient, me.id, open),
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

  function undo(taskId: string): void {
    if (decisions.undo(taskId)) open(taskId);
  }

  /** Shows a toast that can undo these decisions until they are sent. */
  function showUndo(taskIds: readonly string[], done: string, undoOne: (taskId: string) => void): void {
    const undoAll = () => {
      // Others were undone before, and may be decided again with another toast.
      for (const taskId of taskIds) if (toasts.get(taskId) === toast) undoOne(taskId);
    };
    const toast: UndoToast = { id: showUndoToast(done, undoAll), undo: undoAll };
    for (const taskId of taskIds) toasts.set(taskId, toast);
  }

  function decide(decided: UndoableDecision): void {
    const { task, decision } = decided;
    // The list still has the task, which the next one follows.
    openNext(task.id);
    refused.remove(task.id);
    const done = needsMoreVotes(task, decision, me.id) ? texts.votes.sent : texts.done[decision.outcome];
    if (decisions.decide(decided)) showUndo([task.id], done, undo);
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
    for (const { id } of tasks) refused.remove(id);
    const waiting = tasks.filter((task) => decisions.decide({ task, draft, decision }));
    const done = tasks.some((task) => needsMoreVotes(task, decision, me.id))
      ? texts.bulk.sent
      : texts.bulk.done[outcome](tasks.length);
    if (waiting.length === 0) return toastSuccess(done);
    const ids = waiting.map(({ id }) => id);
    // The list shows the tasks again, beside the one that is open.
    showUndo(ids, done, (id) => decisions.undo(id));
  }

  return {
    decisions,
    forgetRefusal: refused.remove,
    decide,
    decideAll,
    undo,
    undoLatest: () => [...toasts.values()].at(-1)?.undo(),
  };
}

function createDecisions(
  queryClient: QueryClient,
  userId: string,
  open: (taskId: string) => void,
): {
  decisions: UndoableDecisions;
  /**
   * The toasts of the decisions that wait, by the ids of their tasks and in the order of the
   * decisions.
   */
  toasts: Map<string, UndoToast>;
  refused: RefusedDecisions;
} {
  const refresh = () => queryClient.invalidateQueries({ queryKey: TASKS_KEY });
  const toasts = new Map<string, UndoToast>();
  const refused = createRefusedDecisions(open);
  const decisions = createUndoableDecisions({
    async send(sent) {
      const { id } = sent.task;
      const task = await withMailLink(id, (proof) =>
        decideTask(id, { ...sent.decision, ...proof }, true).catch((error: unknown) =>
          decidedTask({ ...sent, userId }, error),
        ),
      ).catch(rethrowInWords);
      // The values of the user's own vote are no news when the user opens the task again.
      queryClient.setQueryData(taskQuery(id).queryKey, task);
      return task.status !== 'awaiting' && task.decidedBy === userId;
    },
    onEnd({ task }) {
      const toast = toasts.get(task.id);
      toasts.delete(task.id);
      if (toast && ![...toasts.values()].includes(toast)) notifications.hide(toast.id);
    },
    onSent: refresh,
    onFailed({ task }, error) {
      void refresh();
      if (isApiError(error) && error.status === 401) sessionEnded.start();
      refused.add(task, error);
    },
  });
  return { decisions, toasts, refused };
}

/** Returns the id of the toast. */
function showUndoToast(done: string, undo: () => void): string {
  return notifications.show({
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
