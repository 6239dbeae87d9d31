import { Button, Checkbox, Modal, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AccountWebhookCreatedOut, EventType } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { updateWebhook, createWebhook, invalidateWebhook, type AnyWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts as texts } from '../../texts/webhooks.ts';
import { eventTypesFor } from './event-types.ts';
import { FormsInput } from './forms-input.tsx';

interface Values {
  url: string;
  events: EventType[];
  /** Of an account webhook: the ids of its forms; null for all forms. */
  forms: string[] | null;
  description: string;
  /** Requests per second; empty for no limit. */
  rateLimitPerSecond: number | '';
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
  /** Absent for an account webhook. */
  formId: string | undefined;
  webhook: AnyWebhook | null;
  onClose: () => void;
  onCreated?: (created: AccountWebhookCreatedOut) => void;
}) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['form.submission.new'],
      forms: webhook?.forms ?? null,
      description: webhook?.description ?? '',
      rateLimitPerSecond: webhook?.rateLimitPerSecond ?? '',
      secret: '',
      isEnabled: true,
    },
    validate: {
      events: (events) => (events.length === 0 ? texts.eventsMissing : null),
      forms: (forms) => (forms?.length === 0 ? texts.account.formsMissing : null),
    },
  });
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const { url, events, forms, description, secret, isEnabled } = values;
      const rateLimitPerSecond = values.rateLimitPerSecond || null;
      const ofAccount = formId === undefined && { forms };
      if (webhook) {
        const changes = { url, events, ...ofAccount, description: description || null, rateLimitPerSecond };
        await updateWebhook(webhook, changes);
        return null;
      }
      return createWebhook(formId, {
        url,
        events,
        ...ofAccount,
        isEnabled,
        rateLimitPerSecond,
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
              {eventTypesFor({ formId }).map((type) => (
                <Checkbox key={type} value={type} label={type} description={texts.events[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
          {formId === undefined && (
            <FormsInput
              value={form.values.forms}
              onChange={(forms) => form.setFieldValue('forms', forms)}
              error={form.errors['forms']}
            />
          )}
          <TextInput
            label={texts.description}
            description={texts.descriptionHint}
            autoComplete="off"
            {...form.getInputProps('description')}
          />
          <NumberInput
            label={texts.rateLimit}
            description={texts.rateLimitHint}
            min={1}
            max={1000}
            allowDecimal={false}
            {...form.getInputProps('rateLimitPerSecond')}
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

/** Errors of single events and forms belong to the whole input. */
function errorsOf(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formErrors(error)).map(([path, message]) => [
      path.replace(/^(events|forms)\..*/, '$1'),
      message,
    ]),
  );
}
