import { Button, Checkbox, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { AccountWebhookCreatedOut, EventType } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { updateWebhook, createWebhook, invalidateWebhook, type AnyWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { filterTexts } from '../../texts/webhook-filters.ts';
import { webhooksTexts as texts } from '../../texts/webhooks.ts';
import { eventTypesFor } from './event-types.ts';
import { draftOf, readDraft, savedFilter, type FilterDraft } from './filters/filter-draft.ts';
import { FilterInput } from './filters/filter-input.tsx';
import { FormsInput } from './forms-input.tsx';

interface Values {
  url: string;
  events: EventType[];
  /** Of an account webhook: the ids of its forms; null for all forms. */
  forms: string[] | null;
  /** null: no filter. */
  filter: FilterDraft | null;
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
      filter: webhook?.filter ? draftOf(webhook.filter) : null,
      description: webhook?.description ?? '',
      secret: '',
      isEnabled: true,
    },
    validate: {
      events: (events) => (events.length === 0 ? texts.eventsMissing : null),
      forms: (forms) => (forms?.length === 0 ? texts.account.formsMissing : null),
      filter: (draft) => (draft && 'faults' in readDraft(draft) ? filterTexts.incomplete : null),
    },
  });
  const save = useMutation({
    mutationFn: async ({ url, events, forms, filter: draft, description, secret, isEnabled }: Values) => {
      const filter = savedFilter(draft);
      const ofAccount = formId === undefined && { forms };
      if (webhook) {
        const changes = { url, events, filter, description: description || null };
        await updateWebhook(webhook, { ...changes, ...ofAccount });
        return null;
      }
      return createWebhook(formId, {
        url,
        events,
        ...ofAccount,
        isEnabled,
        ...(filter && { filter }),
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
          <FilterInput
            value={form.values.filter}
            webhook={{ formId, events: form.values.events, forms: form.values.forms }}
            error={form.errors['filter']}
            onChange={(filter) => form.setValues({ filter })}
          />
          <TextInput
            label={texts.description}
            description={texts.descriptionHint}
            autoComplete="off"
            {...form.getInputProps('description')}
          />
          {!webhook && <NewWebhookInputs form={form} />}
          <Button type="submit" loading={save.isPending}>
            {webhook ? texts.save : texts.add}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** What is changed elsewhere once the webhook exists. */
function NewWebhookInputs({ form }: { form: UseFormReturnType<Values> }) {
  return (
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
  );
}

/** Errors of single events, forms and conditions belong to the whole input. */
function errorsOf(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formErrors(error)).map(([path, message]) => [
      path.replace(/^(events|forms|filter)\..*/, '$1'),
      message,
    ]),
  );
}
