import { Button, Checkbox, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookCreatedOut,
  type WebhookEventType,
  type WebhookOut,
} from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { updateWebhook, createWebhook, invalidateWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts as texts } from '../../texts/webhooks.ts';

interface Values {
  url: string;
  events: WebhookEventType[];
  description: string;
  /** The secret of a new webhook; the server generates one if it is empty. */
  secret: string;
  isEnabled: boolean;
}

/** Creates or edits a webhook. A failed save keeps the input. */
export function WebhookDialog({
  formId,
  webhook,
  onClose,
  onCreated,
}: {
  formId: string;
  webhook: WebhookOut | null;
  onClose: () => void;
  onCreated?: (created: WebhookCreatedOut) => void;
}) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['form.submission.new'],
      description: webhook?.description ?? '',
      secret: '',
      isEnabled: true,
    },
    validate: { events: (events) => (events.length === 0 ? texts.eventsMissing : null) },
  });
  const save = useMutation({
    mutationFn: async ({ url, events, description, secret, isEnabled }: Values) => {
      if (webhook) {
        await updateWebhook(webhook, { url, events, description: description || null });
        return null;
      }
      return createWebhook(formId, {
        url,
        events,
        isEnabled,
        ...(description && { description }),
        ...(secret && { secret }),
      });
    },
    meta: { showsError: true },
    async onSuccess(created) {
      onClose();
      if (created) onCreated?.(created);
      else toastSuccess(texts.saved);
      await invalidateWebhook(queryClient, { formId, id: webhook?.id ?? '' });
    },
    onError: (error) => form.setErrors(errorsOf(error)),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={webhook ? texts.detail.editTitle : texts.add}
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <FailureAlert error={save.error} inputs={Object.keys(form.values)} />
          <TextInput
            label={texts.url}
            description={texts.urlHint}
            type="url"
            placeholder="https://"
            required
            maxLength={2048}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label={texts.eventsLabel} required {...form.getInputProps('events')}>
            <Stack gap="xs" mt="xs">
              {WEBHOOK_EVENT_TYPES.map((type) => (
                <Checkbox key={type} value={type} label={type} description={texts.events[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <TextInput
            label={texts.description}
            description={texts.descriptionHint}
            autoComplete="off"
            {...form.getInputProps('description')}
          />
          {!webhook && (
            <>
              <TextInput
                label={texts.secret}
                description={texts.secretHint}
                minLength={16}
                maxLength={256}
                autoComplete="off"
                {...form.getInputProps('secret')}
              />
              <Switch label={texts.isEnabled} {...form.getInputProps('isEnabled', { type: 'checkbox' })} />
            </>
          )}
          <Button type="submit" loading={save.isPending}>
            {webhook ? texts.save : texts.add}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** Errors of single events belong to the whole input. */
function errorsOf(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formErrors(error)).map(([path, message]) => [
      path.replace(/^events\..*/, 'events'),
      message,
    ]),
  );
}
