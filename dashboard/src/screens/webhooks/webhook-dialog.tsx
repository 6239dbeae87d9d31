import { Button, Checkbox, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { AccountWebhookCreatedOut, AccountWebhookPatch, EventType } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { changedProperties } from '../../api/changed-properties.ts';
import { updateWebhook, createWebhook, invalidateWebhook, type AnyWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { InvalidText } from '../../components/invalid-text.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { filterTexts } from '../../texts/webhook-filters.ts';
import { webhooksTexts as texts } from '../../texts/webhooks.ts';
import { eventTypesFor } from './event-types.ts';
import { draftOf, readDraft, savedFilter, type FilterDraft } from './filters/filter-draft.ts';
import { FilterInput } from './filters/filter-input.tsx';
import { FormsInput } from './forms-input.tsx';
import { atPositions, enteredHeaders, patchOf, rowErrors, rowsOf, type HeaderRow } from './header-rows.ts';
import { HeadersInput } from './headers-input.tsx';
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
  /** null: no filter. */
  filter: FilterDraft | null;
  description: string;
  /** Requests per second; empty for no limit. */
  rateLimitPerSecond: number | '';
  /** The secret of a new webhook; the server generates one if it is empty. */
  secret: string;
  isEnabled: boolean;
  headers: HeaderRow[];
  isPublicKeySigned: boolean;
  payload: PayloadValue;
}

const initialValuesOf = (webhook: AnyWebhook | null): Values => ({
  url: webhook?.url ?? '',
  events: webhook?.events ?? ['form.submission.new'],
  forms: webhook?.forms ?? null,
  filter: webhook?.filter ? draftOf(webhook.filter) : null,
  description: webhook?.description ?? '',
  rateLimitPerSecond: webhook?.rateLimitPerSecond ?? '',
  secret: '',
  isEnabled: true,
  headers: rowsOf(webhook?.headers ?? []),
  isPublicKeySigned: webhook?.isPublicKeySigned ?? false,
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
  // Somebody else may change the webhook while the dialog is open.
  const [opened] = useState(webhook);
  const form = useForm<Values>({
    initialValues: initialValuesOf(opened),
    validate: ({ events, forms, filter, headers }) => ({
      ...(events.length === 0 && { events: texts.eventsMissing }),
      ...(forms?.length === 0 && { forms: texts.account.formsMissing }),
      ...(filter && 'faults' in readDraft(filter) && { filter: filterTexts.incomplete }),
      ...rowErrors(headers),
    }),
  });
  const save = useMutation({
    mutationFn: (values: Values) => saveWebhook(formId, opened, { initial: initialValuesOf(opened), values }),
    meta: { showsError: true },
    async onSuccess(created) {
      onClose();
      if (created) onCreated?.(created);
      else toastSuccess(texts.saved);
      await invalidateWebhook(queryClient, { formId, id: webhook?.id ?? '' });
    },
    onError: (error, { headers }) => form.setErrors(atPositions(errorsOf(error), headers)),
  });
  return (
    <OpenedModal
      hasChanges={form.isDirty() && !save.isPending}
      onClose={onClose}
      title={webhook ? texts.detail.editTitle : texts.add}
      size={payloadWidth(form.values.payload)}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values), save.reset)}>
        <Stack>
          <FailureAlert error={save.error} inputs={Object.keys(form.values)} comesIntoView />
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
          <NumberInput
            label={texts.rateLimit}
            description={texts.rateLimitHint}
            min={1}
            max={1000}
            allowDecimal={false}
            {...form.getInputProps('rateLimitPerSecond')}
          />
          <HeadersInput
            rows={form.values.headers}
            onChange={(headers) => form.setFieldValue('headers', headers)}
            errors={form.errors}
          />
          <Switch
            label={texts.publicKey.isOn}
            description={texts.publicKey.isOnHint}
            {...form.getInputProps('isPublicKeySigned', { type: 'checkbox' })}
          />
          <PayloadEditor
            {...{ formId, webhook }}
            value={form.values.payload}
            onChange={(payload) => form.setFieldValue('payload', payload)}
            error={form.errors['payload']}
          />
          {!webhook && <NewWebhookInputs form={form} />}
          {!save.error && Object.keys(form.errors).length > 0 && <InvalidText />}
          <Button type="submit" loading={save.isPending}>
            {webhook ? texts.save : texts.add}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}

/** The members of a request that creates a webhook or changes it. */
const settingsOf = (formId: string | undefined, values: Values) => ({
  url: values.url,
  events: values.events,
  ...(formId === undefined && { forms: values.forms }),
  filter: savedFilter(values.filter),
  payload: payloadOf(values.payload),
  description: values.description || null,
  rateLimitPerSecond: values.rateLimitPerSecond || null,
  isPublicKeySigned: values.isPublicKeySigned,
});

/** Returns the created webhook; `null` after a change. */
async function saveWebhook(
  formId: string | undefined,
  opened: AnyWebhook | null,
  { initial, values }: { initial: Values; values: Values },
) {
  const settings = settingsOf(formId, values);
  if (!opened) {
    const { filter, description, ...others } = settings;
    const { secret, isEnabled } = values;
    return createWebhook(formId, {
      ...others,
      isEnabled,
      ...(filter && { filter }),
      ...(description !== null && { description }),
      ...(secret && { secret }),
      headers: enteredHeaders(values.headers),
    });
  }
  const headers = patchOf(opened.headers, values.headers);
  const patch = {
    ...changedProperties<AccountWebhookPatch>(settingsOf(formId, initial), settings),
    ...(headers && { headers }),
  };
  if (Object.keys(patch).length > 0) await updateWebhook(opened, patch);
  return null;
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

/**
 * Errors of single events, forms and conditions, and of parts of the payload, belong to the whole
 * input.
 */
function errorsOf(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formErrors(error)).map(([path, message]) => [
      path.replace(/^(events|forms|filter|payload)\..*/, '$1'),
      message,
    ]),
  );
}
