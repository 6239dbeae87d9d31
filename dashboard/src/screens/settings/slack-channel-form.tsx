import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { meQuery, useHasScope, useMe } from '../../api/session.ts';
import { slackQuery, testSlack, updateAccount } from '../../api/slack.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { slackTexts as texts } from '../../texts/slack.ts';

/** The Slack channel of the account. Absent where it can't use the Slack app. */
export function SlackChannelForm() {
  const { account } = useMe();
  const mayChange = useHasScope('forms:write');
  const queryClient = useQueryClient();
  const slack = useQuery({ ...slackQuery, enabled: mayChange });
  const form = useForm({ initialValues: { slackChannel: account.slackChannel ?? '' } });
  const save = useMutation({
    mutationFn: ({ slackChannel }: { slackChannel: string }) =>
      updateAccount({ slackChannel: slackChannel.trim() || null }),
    onSuccess(changed) {
      test.reset();
      form.setValues({ slackChannel: changed.slackChannel ?? '' });
      form.resetDirty({ slackChannel: changed.slackChannel ?? '' });
      toastSuccess(settingsTexts.saved);
      return queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  const test = useMutation({
    mutationFn: testSlack,
    meta: { showsError: true },
    onSuccess: ({ channel }) => toastSuccess(texts.testSent(channel)),
  });
  if (!mayChange || !slack.data?.isAvailable) return null;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedWarning when={form.isDirty()} />
      <Stack gap="xs" maw={640} align="flex-start">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <TextInput
          label={texts.channel}
          description={texts.channelHint}
          w="100%"
          maw={480}
          {...form.getInputProps('slackChannel')}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {settingsTexts.save}
          </Button>
          {account.slackChannel !== null && (
            <Button
              variant="default"
              disabled={form.isDirty()}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              {texts.test}
            </Button>
          )}
        </Group>
        <FailureAlert error={test.error} />
      </Stack>
    </form>
  );
}
