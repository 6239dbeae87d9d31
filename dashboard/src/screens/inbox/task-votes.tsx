import { Alert, Stack, Text, Title } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { useMe } from '../../api/session.ts';
import { Time } from '../../components/time.tsx';
import { inboxTexts } from '../../texts/inbox.ts';
import { mayVote } from './may-vote.ts';

const texts = inboxTexts.votes;

/** The votes on a task with a policy, and what is missing. */
export function TaskVotes({ task, nameOf }: { task: TaskOut; nameOf: (id: string) => string }) {
  const me = useMe();
  const { progress, votes, escalation, remindAt } = task;
  if (!votes) return <FollowUps remindAt={remindAt} escalation={escalation} />;
  const others = progress?.waitingFor.filter(({ id }) => id !== me.id) ?? [];
  return (
    <Stack gap={4} component="section" aria-label={texts.title}>
      <Title order={3} size="h5">
        {texts.title}
      </Title>
      {progress && <Text>{texts.progress(progress.approved, progress.required)}</Text>}
      {votes.map(({ by, byName, outcome, at, comment }) => (
        <Text key={by}>
          {by === me.id ? inboxTexts.you : (byName ?? nameOf(by))}: {inboxTexts.statuses[outcome]},{' '}
          <Time at={at} />
          {comment && `, ${comment}`}
        </Text>
      ))}
      {others.length > 0 && (
        <Text c="dimmed">{texts.waitingFor(others.map(({ name }) => name).join(', '))}</Text>
      )}
      {progress?.isBlocked && (
        <Alert variant="outline" color="orange" role="status">
          {texts.blocked}
        </Alert>
      )}
      {progress?.remaining === 0 && (
        <Alert variant="outline" role="status">
          {texts.again}
        </Alert>
      )}
      {progress && !mayVote(task, me.id) && <Text fw={600}>{texts.notReviewer}</Text>}
      <FollowUps remindAt={remindAt} escalation={escalation} />
    </Stack>
  );
}

function FollowUps({ remindAt, escalation }: Pick<TaskOut, 'remindAt' | 'escalation'>) {
  return (
    <>
      {remindAt !== undefined && (
        <Text c="dimmed">
          {texts.reminder} <Time at={remindAt} />
        </Text>
      )}
      {escalation && (
        <Text c="dimmed">
          {escalation.isDone ? texts.escalated : texts.escalation} <Time at={escalation.at} />
        </Text>
      )}
    </>
  );
}
