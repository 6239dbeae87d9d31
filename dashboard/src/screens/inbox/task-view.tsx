import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { valueFields, type TaskOut } from '@svcforms/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { formQuery } from '../../api/forms.ts';
import { useHasScope, useMe } from '../../api/session.ts';
import { cancelTask, claimTask, pendingTaskCountQuery, releaseTask, TASKS_KEY } from '../../api/tasks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { endedTexts } from '../../texts/late-decision.ts';
import { DecisionForm } from './decision-form.tsx';
import { DelegateButton } from './delegate-button.tsx';
import { rethrowInWords } from './late-decision.ts';
import { hasVoted, mayVote } from './may-vote.ts';
import { TaskVotes } from './task-votes.tsx';
import { Markdown } from './markdown.tsx';
import { TaskAction } from './task-action.tsx';
import { PriorityBadge, TaskStatusBadge } from './task-badges.tsx';
import { TaskCallback } from './task-callback.tsx';
import { TaskHistory } from './task-history.tsx';
import { TaskResolution } from './task-resolution.tsx';
import { nameInTask } from './requester.ts';
import { useInbox, useDecidedIds } from './use-decisions.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useUserName } from '../../api/use-user-name.ts';

/** One task with its question, decision form and activity. */
export function TaskView({ task }: { task: TaskOut }) {
  const me = useMe();
  const hasRight = useHasScope('tasks:decide');
  const decides = hasRight && mayVote(task, me.id);
  const manages = useHasScope('tasks:manage');
  const nameOf = nameInTask(task, me.id, useUserName());
  const search = useSearch({ from: '/shell/tasks' });
  const queryClient = useQueryClient();
  const form = useQuery(formQuery(task.templateId));
  const isFormGone = isApiError(form.error) && form.error.code === 'NOT_FOUND';
  const refresh = () => queryClient.invalidateQueries({ queryKey: TASKS_KEY });

  // The status when the user opened the task. Somebody else changed it later, unless this user did.
  const [wasAwaiting] = useState(task.status === 'awaiting');
  const { data: count } = useQuery(pendingTaskCountQuery);
  const { decisions, undo } = useInbox();
  const isWaiting = useDecidedIds(decisions).has(task.id);
  const canUndo = decisions.canUndo(task.id);
  const isAwaiting = task.status === 'awaiting' && !isWaiting;
  const isResolvedElsewhere = wasAwaiting && task.status !== 'awaiting' && !decisions.isDecidedHere(task.id);

  const isMine = task.claim?.by === me.id;
  const claim = useMutation({
    mutationFn: () => (isMine ? releaseTask(task.id) : claimTask(task.id)).catch(rethrowInWords),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: () => cancelTask(task.id).catch(rethrowInWords),
    onMutate: () => decisions.markDecidedHere(task.id),
    onSettled: refresh,
  });
  useShortcuts({ c: isAwaiting && decides ? () => claim.mutate() : undefined });

  return (
    <Page
      title={task.title ?? texts.untitled}
      of={texts.title}
      count={count}
      actions={
        isAwaiting && (
          <>
            {decides && (
              <Button variant="default" size="xs" loading={claim.isPending} onClick={() => claim.mutate()}>
                {isMine ? texts.release : texts.claim}
              </Button>
            )}
            {decides && task.progress?.waitingFor.some(({ id }) => id === me.id) && (
              <DelegateButton taskId={task.id} />
            )}
            {manages && <CancelButton isPending={cancel.isPending} onConfirm={() => cancel.mutate()} />}
          </>
        )
      }
    >
      <TextLink to="/tasks" search={search} size="sm" hiddenFrom="md">
        {texts.back}
      </TextLink>
      {isResolvedElsewhere && (
        <Alert role="alert" variant="outline" color="orange">
          {endOf(task, me.id)}
        </Alert>
      )}
      {isWaiting && (
        <Alert role="status" variant="outline">
          <Group justify="space-between">
            <Text>{canUndo ? texts.decidedJustNow : texts.sending}</Text>
            {canUndo && (
              <Button size="xs" variant="default" onClick={() => undo(task.id)}>
                {texts.undoDecision}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Group gap="xs">
        <TaskStatusBadge status={task.status} />
        <PriorityBadge priority={task.priority} />
        <TaskResolution task={task} nameOf={nameOf} />
        {task.claim && <Text>{texts.claimedBy(nameOf(task.claim.by))}</Text>}
      </Group>
      <Text c="dimmed">
        {texts.createdBy} {nameOf(task.createdBy)}, <Time at={task.createdAt} />
        {task.assignee && `. ${texts.assignee} ${nameOf(task.assignee)}`}
        {form.data && `. ${texts.form}: ${form.data.name}`}
      </Text>
      {task.description && <Markdown text={task.description} />}
      <TaskAction task={task} />
      {isFormGone && <Alert variant="outline">{texts.formGone}</Alert>}
      {form.isPending && !isFormGone && <Loading />}
      {form.isLoadingError && !isFormGone && <FailureAlert error={form.error} retry={form.refetch} />}
      {(form.data || isFormGone) && (
        <DecisionForm
          task={task}
          fields={valueFields(form.data?.fields ?? [])}
          form={form.data}
          key={String(isWaiting)}
          mayDecide={decides && isAwaiting && !isFormGone}
        />
      )}
      <Remark label={texts.reason} text={task.rejectOption} />
      <Remark label={texts.comment} text={task.comment} />
      <TaskVotes task={task} nameOf={nameOf} />
      {task.callback && <TaskCallback task={task} callback={task.callback} />}
      <TaskHistory taskId={task.id} nameOf={nameOf} />
    </Page>
  );
}

/** Says to a user who hasn't sent a decision how the task ended. */
function endOf(task: TaskOut, userId: string): string {
  const status = texts.statuses[task.status];
  if (task.decidedBy === userId) return endedTexts.byYou(status);
  if (task.status === 'expired' || task.resolvedBy === 'expiry') return endedTexts.inTime(status);
  return (hasVoted(task, userId) ? texts.resolvedAfterVote : texts.resolvedMeanwhile)(status);
}

/** What the reviewer said with the decision. */
function Remark({ label, text }: { label: string; text: string | undefined }) {
  return (
    text && (
      <Stack gap={2}>
        <Text fw={600}>{label}</Text>
        <Text style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>
      </Stack>
    )
  );
}

function CancelButton({ isPending, onConfirm }: { isPending: boolean; onConfirm: () => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending}
      onClick={() =>
        modals.openConfirmModal({
          title: texts.cancelTitle,
          children: <Text>{texts.cancelText}</Text>,
          labels: { confirm: texts.cancelTask, cancel: texts.keepTask },
          onConfirm,
        })
      }
    >
      {texts.cancelTask}
    </Button>
  );
}
