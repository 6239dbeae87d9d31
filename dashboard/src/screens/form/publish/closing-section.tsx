import { Alert, Button, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { Closing, FormOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, isApiError } from '../../../api/api-error.ts';
import { draftQuery, etagOf, formQuery, replaceForm, saveDraft } from '../../../api/forms.ts';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { toastSuccess } from '../../../components/toast.tsx';
import { UnsavedWarning } from '../../../components/unsaved-warning.tsx';
import { publishTexts } from '../../../texts/publish.ts';
import { Section } from '../../../components/section.tsx';
import { numberOf } from '../draft/with-property.ts';
import { useFormCache } from '../layout/use-form-cache.ts';
import { useSavedForm } from '../layout/use-saved-form.ts';

const texts = publishTexts.closing;
/** The longest text that the API accepts. */
const MAX_MESSAGE = 2000;
/** The API takes years of four digits. */
const LAST_TIME = '9999-12-31T23:59';

const INPUTS = ['isClosed', 'closesAt', 'maxSubmissions', 'message'] as const;
const pathOf = (input: string) => `settings.closing.${input}`;

interface Inputs {
  isClosed: boolean;
  closesAt: string;
  maxSubmissions: number | string;
  message: string;
}

interface State {
  /** The saved form that the inputs started from. */
  base: FormOut;
  inputs: Inputs;
}

/**
 * When the form closes. Unlike everything else, this isn't a part of the draft: it takes effect at
 * once.
 */
export function ClosingSection() {
  const published = useSavedForm();
  const cache = useFormCache();
  const queryClient = useQueryClient();
  const [state, setState] = useState<State>(() => ({
    base: published,
    inputs: inputsOf(published.settings.closing),
  }));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { base, inputs } = state;
  const saved = base.settings.closing;
  const closing = closingOf(inputs, saved);
  const isDirty = !isSame(closing, closingOf(inputsOf(saved), saved));
  // Settings that were saved elsewhere replace the inputs only if this user hasn't changed any.
  // Otherwise saving finds the conflict.
  if (published !== base && (!isDirty || isSame(published.settings.closing, saved)))
    setState(startedFrom(published, state));

  const save = useMutation({
    mutationFn: () =>
      saveClosing(base, closing, () => queryClient.fetchQuery({ ...draftQuery(base.id), staleTime: 0 })),
    meta: { showsError: true },
    onMutate: () => setErrors({}),
    onSuccess: () => toastSuccess(texts.saved),
    onError: (error) => setErrors(formErrors(error)),
    async onSettled(_, error) {
      await cache.reload(base.id);
      const newest = queryClient.getQueryData(formQuery(base.id).queryKey);
      if (!newest) return;
      // After a conflict, the user sees the settings of the other one before saving again. If only
      // the draft couldn't be saved, saving again starts from what is published now.
      const isPublished = isSame(newest.settings.closing, closing);
      if (!error || isConflict(error) || isPublished) setState((now) => startedFrom(newest, now));
    },
  });
  const set = (changed: Partial<Inputs>) =>
    setState((now) => ({ ...now, inputs: { ...now.inputs, ...changed } }));
  const isTooLate = inputs.closesAt !== '' && !isTime(inputs.closesAt);
  const error = (input: keyof Inputs) => errors[pathOf(input)];
  return (
    <Section title={texts.title}>
      <UnsavedWarning when={isDirty} />
      <Text>{texts.text}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack gap="sm">
          {isConflict(save.error) && isDirty ? (
            <Alert role="alert" variant="outline" color="orange">
              {texts.conflict}
            </Alert>
          ) : (
            <FailureAlert error={save.error} inputs={INPUTS.map(pathOf)} />
          )}
          <Switch
            label={texts.isClosed}
            checked={inputs.isClosed}
            error={error('isClosed')}
            onChange={({ currentTarget }) => set({ isClosed: currentTarget.checked })}
          />
          <TextInput
            type="datetime-local"
            label={texts.closesAt}
            description={texts.closesAtHint}
            max={LAST_TIME}
            value={inputs.closesAt}
            error={isTooLate ? texts.tooLate : error('closesAt')}
            onChange={({ currentTarget }) => set({ closesAt: currentTarget.value })}
          />
          <NumberInput
            label={texts.maxSubmissions}
            description={texts.maxSubmissionsHint}
            min={1}
            max={10_000_000}
            allowDecimal={false}
            value={inputs.maxSubmissions}
            error={error('maxSubmissions')}
            onChange={(maxSubmissions) => set({ maxSubmissions })}
          />
          <Textarea
            label={texts.message}
            description={texts.messageHint}
            autosize
            minRows={2}
            maxLength={MAX_MESSAGE}
            value={inputs.message}
            error={error('message')}
            onChange={({ currentTarget }) => set({ message: currentTarget.value })}
          />
          <Button
            type="submit"
            loading={save.isPending}
            disabled={(!isDirty && !save.isError) || isTooLate}
            style={{ alignSelf: 'flex-start' }}
          >
            {texts.save}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

/**
 * Saves the settings in the published form and in its draft, which would bring back the old ones.
 * @throws ApiError `CONFLICT` if somebody has saved the form since `base`
 */
async function saveClosing(
  base: FormOut,
  closing: Closing | undefined,
  readDraft: () => Promise<FormOut>,
): Promise<void> {
  if (base.version === 0) {
    await saveDraft(base.id, withClosing(base, closing), etagOf(base));
    return;
  }
  await replaceForm(base.id, withClosing(base, closing), base.version);
  const saveInDraft = async () => {
    // Somebody else may have saved it since this screen read it.
    const draft = await readDraft();
    if (draft.draft) await saveDraft(base.id, withClosing(draft, closing), etagOf(draft));
  };
  await saveInDraft().catch((error: unknown) => {
    if (!isConflict(error)) throw error;
    return saveInDraft();
  });
}

const isConflict = (error: unknown): boolean => isApiError(error) && error.code === 'CONFLICT';

/** Inputs that the user hasn't changed show what is saved in another version of the form. */
function startedFrom(form: FormOut, { base, inputs }: State): State {
  const before = inputsOf(base.settings.closing);
  const changed = Object.fromEntries(
    INPUTS.flatMap((key) => (inputs[key] === before[key] ? [] : [[key, inputs[key]]])),
  );
  return { base: form, inputs: { ...inputsOf(form.settings.closing), ...changed } };
}

const isSame = (one: Closing | undefined, other: Closing | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function withClosing({ settings, ...form }: FormOut, closing: Closing | undefined) {
  const { closing: _, ...others } = settings;
  return { ...form, settings: { ...others, ...(closing && { closing }) } };
}

function inputsOf({ isClosed = false, closesAt, maxSubmissions, message = '' }: Closing = {}): Inputs {
  const time = closesAt === undefined ? '' : localTime(closesAt);
  return { isClosed, closesAt: time, maxSubmissions: maxSubmissions ?? '', message };
}

/** The settings of the inputs. A time that wasn't changed stays as it was saved. */
function closingOf(inputs: Inputs, saved: Closing | undefined): Closing | undefined {
  const { isClosed, closesAt, message } = inputs;
  const maxSubmissions = numberOf(inputs.maxSubmissions);
  const keepsTime = saved?.closesAt !== undefined && closesAt === localTime(saved.closesAt);
  const closing: Closing = {
    ...((isClosed || saved?.isClosed !== undefined) && { isClosed }),
    ...(isTime(closesAt) && {
      closesAt: keepsTime ? saved.closesAt : new Date(closesAt).toISOString(),
    }),
    ...(maxSubmissions !== undefined && { maxSubmissions }),
    ...(message !== '' && { message }),
  };
  return Object.keys(closing).length > 0 ? closing : undefined;
}

/** Browsers allow years of up to six digits, which dates of JavaScript can't read. */
const isTime = (time: string): boolean => /^\d{4}-/.test(time) && !Number.isNaN(Date.parse(time));

/** `2030-01-31T23:59` in the user's time zone, as the input shows it. */
function localTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
