import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { taskHistoryQuery } from '../../api/tasks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Time } from '../../components/time.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { outcomeOf } from '../../components/delivery-badge.tsx';

/** The activity of a task. */
export function TaskHistory({ taskId, nameOf }: { taskId: string; nameOf: (id: string) => string }) {
  const history = useQuery(taskHistoryQuery(taskId));
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        {texts.history}
      </Title>
      <FailureAlert error={history.isError ? history.error : null} retry={history.refetch} />
      {history.data?.map(
        ({ at, event, by, to, outcome, channel, comment, reason, state, status, error }, index) => (
          <Text key={index}>
            <Time at={at} />: {texts.events[event]}
            {outcome && ` (${texts.statuses[outcome]})`}
            {state && ` (${texts.callbackStates[state]})`}
            {by && ` ${texts.by(nameOf(by))}`}
            {channel && ` ${texts.channels[channel]}`}
            {to && ` ${texts.to(to.startsWith('grp_') ? texts.someGroup : nameOf(to))}`}
            {state && (status ?? error) !== undefined && `. ${outcomeOf({ status, error })}`}
            {(comment ?? reason) && `: “${comment ?? reason}”`}
          </Text>
        ),
      )}
    </Stack>
  );
}
