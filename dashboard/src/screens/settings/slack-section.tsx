import { Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { disconnectSlack, slackQuery } from '../../api/slack.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { exactTime } from '../../components/time-format.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { slackTexts as texts } from '../../texts/slack.ts';

/** The Slack user of the current user. Absent where the account can't use the Slack app. */
export function SlackSection() {
  const queryClient = useQueryClient();
  const slack = useQuery(slackQuery);
  const disconnect = useMutation({
    mutationFn: disconnectSlack,
    onSuccess: () => toastSuccess(texts.disconnected),
    onSettled: () => queryClient.invalidateQueries({ queryKey: slackQuery.queryKey }),
  });
  if (!slack.data?.isAvailable) return null;
  const { slackUserId, connectedAt } = slack.data;
  return (
    <Stack maw={480} align="flex-start">
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      {slackUserId === null ? (
        <Text>{texts.notConnected}</Text>
      ) : (
        <>
          <Text>{texts.connected(slackUserId, exactTime(connectedAt ?? ''))}</Text>
          <DeleteButton
            loading={disconnect.isPending}
            question={{
              title: texts.disconnectTitle,
              text: texts.disconnectText,
              confirm: texts.disconnect,
              onConfirm: () => disconnect.mutate(),
            }}
          />
        </>
      )}
    </Stack>
  );
}
