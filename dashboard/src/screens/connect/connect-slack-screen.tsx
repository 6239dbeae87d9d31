import { Alert, Button, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useMe } from '../../api/session.ts';
import { connectSlack, slackQuery } from '../../api/slack.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Page } from '../../components/page.tsx';
import { slackTexts } from '../../texts/slack.ts';

const texts = slackTexts.connect;

/**
 * Connects the Slack user who got the link. The token is in the fragment of the URL, which browsers
 * send to no server.
 */
export function ConnectSlackScreen() {
  const me = useMe();
  const { hash: token } = useLocation();
  const queryClient = useQueryClient();
  const connect = useMutation({
    mutationFn: () => connectSlack({ token }),
    meta: { showsError: true },
    onSuccess: (connection) => queryClient.setQueryData(slackQuery.queryKey, connection),
  });
  return (
    <Page title={texts.title}>
      <Paper withBorder p="lg" maw={640}>
        <Stack align="flex-start">
          {token === '' && <Text>{texts.missing}</Text>}
          {connect.isSuccess && <Text role="status">{texts.done}</Text>}
          {token !== '' && !connect.isSuccess && (
            <>
              <Text fw={600} size="lg">
                {texts.question(me.name, me.email)}
              </Text>
              <Text>{texts.effect}</Text>
              <Alert variant="outline">{texts.warning}</Alert>
              <FailureAlert error={connect.error} />
              <Button loading={connect.isPending} onClick={() => connect.mutate()}>
                {texts.button}
              </Button>
            </>
          )}
        </Stack>
      </Paper>
    </Page>
  );
}
