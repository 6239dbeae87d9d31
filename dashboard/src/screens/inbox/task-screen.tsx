import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { taskQuery } from '../../api/tasks.ts';
import { isMissing } from '../../api/api-error.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Missing } from '../../components/missing.tsx';
import { Page } from '../../components/page.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { keepMailLink } from '../../api/mail-links.ts';
import { TaskView } from './task-view.tsx';
import { useInbox } from './use-decisions.tsx';

export function TaskScreen() {
  const { taskId } = useParams({ from: '/shell/tasks/$taskId' });
  const task = useQuery(taskQuery(taskId));
  const { hash } = useLocation();
  const navigate = useNavigate();
  const { forgetRefusal } = useInbox();
  useEffect(() => forgetRefusal(taskId), [forgetRefusal, taskId]);
  useEffect(() => {
    if (keepMailLink(taskId, hash))
      void navigate({ to: '.', search: true, hash: '', replace: true, ignoreBlocker: true });
  }, [taskId, hash, navigate]);
  if (isMissing(task.error)) {
    return (
      <Page title={texts.missing.title} of={texts.title}>
        <Missing text={texts.missing.text} />
      </Page>
    );
  }
  if (task.data) return <TaskView key={taskId} task={task.data} />;
  if (!task.isError) return <Loading />;
  return (
    <Page title={texts.task} of={texts.title}>
      <FailureAlert error={task.error} retry={task.refetch} />
    </Page>
  );
}
