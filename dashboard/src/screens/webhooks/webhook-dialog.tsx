import { Button, Checkbox, Modal, Stack, Switch, TextInput } from '@mantine/core';
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
import {
  PayloadEditor,
  payloadOf,
  payloadValueOf,
  payloadWidth,
  type PayloadValue,
} from './payload-editor.tsx';

interface Values {
  url: string;
  events: EventType[];
  /** Of an account webhook: the ids of its forms; null for all forms. */
  forms: string[] | null;
  description: string;
  /** The secret of a new webhook; the server generates one if it is empty. */
  secret: string;
  isEnabled: boolean;
  payload: PayloadValue;
}

const initialValuesOf = (webhook: AnyWebhook | null): Values => ({
  url: webhook?.url ?? '',
  events: webhook?.events ?? ['form.submission.new'],
  forms: webhook?.forms ?? null,
  description: webhook?.description ?? '',
  secret: '',
  isEnabled: true,
  payload: payloadValueOf(webhook),
});

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
    initialValues: initialValuesOf(webhook),
    validate: {
      events: (events) => (events.length === 0 ? texts.eventsMissing : null),
      forms: (forms) => (forms?.length === 0 ? texts.account.formsMissing : null),
    },
  });
  const save = useMutation({
    mutationFn: (values: Values) => saveWebhook(formId, webhook, values),
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
      size={payloadWidth(form.values.payload)}
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
          <PayloadEditor
            {...{ formId, webhook }}
            value={form.values.payload}
            onChange={(payload) => form.setFieldValue('payload', payload)}
            error={form.errors['payload']}
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

/** Returns a new webhook with its secret, and `null` for a changed one. */
async function saveWebhook(
  formId: string | undefined,
  webhook: AnyWebhook | null,
  { url, events, forms, description, secret, isEnabled, payload: value }: Values,
): Promise<AccountWebhookCreatedOut | null> {
  const ofAccount = formId === undefined && { forms };
  const payload = payloadOf(value);
  if (webhook) {
    await updateWebhook(webhook, { url, events, ...ofAccount, description: description || null, payload });
    return null;
  }
  return createWebhook(formId, {
    url,
    events,
    ...ofAccount,
    isEnabled,
    payload,
    ...(description && { description }),
    ...(secret && { secret }),
  });
}

/** Errors of single events and forms, and of parts of the payload, belong to the whole input. */
function errorsOf(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formErrors(error)).map(([path, message]) => [
      path.replace(/^(events|forms|payload)\..*/, '$1'),
      message,
    ]),
  );
}
