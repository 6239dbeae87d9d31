import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { delegateTask, TASKS_KEY } from '../../api/tasks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { inboxTexts } from '../../texts/inbox.ts';
import { rethrowInWords } from './late-decision.ts';

const texts = inboxTexts.votes;

/**
 * Hands the vote of the user to somebody else. Reviewers can't list users, so they enter an
 * address.
 */
export function DelegateButton({ taskId }: { taskId: string }) {
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState(false);
  const form = useForm({ initialValues: { to: '', comment: '' } });
  const delegate = useMutation({
    mutationFn: ({ to, comment }: { to: string; comment: string }) =>
      delegateTask(taskId, { to: to.trim(), ...(comment.trim() && { comment: comment.trim() }) }).catch(
        rethrowInWords,
      ),
    meta: { showsError: true },
    onSuccess() {
      setOpened(false);
      form.reset();
      toastSuccess(texts.delegated);
      return queryClient.invalidateQueries({ queryKey: TASKS_KEY });
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {texts.delegate}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={texts.delegateTitle}
        closeOnClickOutside={false}
      >
        <form onSubmit={form.onSubmit((values) => delegate.mutate(values))}>
          <Stack>
            <Text>{texts.delegateText}</Text>
            <FailureAlert error={delegate.error} inputs={Object.keys(form.values)} />
            <TextInput
              label={texts.delegateTo}
              type="email"
              required
              maxLength={320}
              data-autofocus
              {...form.getInputProps('to')}
            />
            <TextInput label={inboxTexts.comment} maxLength={2_000} {...form.getInputProps('comment')} />
            <Button type="submit" loading={delegate.isPending}>
              {texts.delegate}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
