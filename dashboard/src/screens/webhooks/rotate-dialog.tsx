import { Button, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { rotateSecret, invalidateWebhook, type Webhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.rotate;

export function RotateDialog({
  webhook,
  onClose,
  onRotated,
}: {
  webhook: Webhook;
  onClose: () => void;
  onRotated: (secret: string | null) => void;
}) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { overlapHours: 24, secret: '' } });
  const rotate = useMutation({
    mutationFn: ({ overlapHours, secret }: typeof form.values) =>
      rotateSecret(webhook, { overlapHours, ...(secret && { secret }) }),
    meta: { showsError: true },
    async onSuccess({ secret }) {
      onClose();
      onRotated(secret);
      await invalidateWebhook(queryClient, webhook);
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <OpenedModal
      hasChanges={form.isDirty() && !rotate.isPending}
      onClose={onClose}
      title={texts.title}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((values) => rotate.mutate(values))}>
        <Stack>
          <Text>{texts.text}</Text>
          <FailureAlert error={rotate.error} inputs={Object.keys(form.values)} />
          <NumberInput
            label={texts.overlap}
            description={texts.overlapHint}
            min={0}
            max={168}
            hideControls
            required
            data-autofocus
            {...form.getInputProps('overlapHours')}
          />
          <TextInput
            label={texts.secret}
            description={texts.secretHint}
            minLength={16}
            maxLength={256}
            autoComplete="off"
            {...form.getInputProps('secret')}
          />
          <Button type="submit" loading={rotate.isPending}>
            {texts.confirm}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}
