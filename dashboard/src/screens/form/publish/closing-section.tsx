import { Button, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Closing, FormOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../../../api/api-error.ts';
import { replaceForm, saveDraft } from '../../../api/forms.ts';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { toastSuccess } from '../../../components/toast.tsx';
import { publishTexts } from '../../../texts/publish.ts';
import { Section } from '../display/section.tsx';
import { numberOf } from '../draft/with-property.ts';
import { useFormCache } from '../layout/use-form-cache.ts';
import { useSavedDraft, useSavedForm } from '../layout/use-saved-form.ts';

const texts = publishTexts.closing;
/** The longest text that the API accepts. */
const MAX_MESSAGE = 2000;

interface Inputs {
  isClosed: boolean;
  closesAt: string;
  maxSubmissions: number | string;
  message: string;
}

/** When the form closes. Unlike everything else, this isn't a part of the draft: it takes effect at once. */
export function ClosingSection() {
  const published = useSavedForm();
  const draft = useSavedDraft();
  const cache = useFormCache();
  const form = useForm<Inputs>({ initialValues: inputsOf(published.settings.closing) });
  const save = useMutation({
    async mutationFn(closing: Closing | undefined) {
      let current = draft;
      if (published.version > 0) {
        current = await replaceForm(published.id, withClosing(published, closing), published.version);
      }
      // The draft would bring back the old settings.
      if (draft.draft) await saveDraft(draft.id, withClosing(draft, closing), current.draft?.etag);
    },
    meta: { showsError: true },
    onSuccess: () => toastSuccess(texts.saved),
    onError: (error) => {
      const errors = Object.entries(formErrors(error));
      form.setErrors(
        Object.fromEntries(errors.map(([path, text]) => [path.replace('settings.closing.', ''), text])),
      );
    },
    onSettled: () => cache.reload(published.id),
  });
  const closing = closingOf(form.values, published.settings.closing);
  const unchanged = closingOf(inputsOf(published.settings.closing), published.settings.closing);
  const isDirty = JSON.stringify(closing) !== JSON.stringify(unchanged);
  return (
    <Section title={texts.title}>
      <Text>{texts.text}</Text>
      <form onSubmit={form.onSubmit(() => save.mutate(closing))}>
        <Stack gap="sm">
          <FailureAlert error={save.error} inputs={Object.keys(form.values)} />
          <Switch label={texts.isClosed} {...form.getInputProps('isClosed', { type: 'checkbox' })} />
          <TextInput
            type="datetime-local"
            label={texts.closesAt}
            description={texts.closesAtHint}
            {...form.getInputProps('closesAt')}
          />
          <NumberInput
            label={texts.maxSubmissions}
            description={texts.maxSubmissionsHint}
            min={1}
            max={10_000_000}
            allowDecimal={false}
            {...form.getInputProps('maxSubmissions')}
          />
          <Textarea
            label={texts.message}
            description={texts.messageHint}
            autosize
            minRows={2}
            maxLength={MAX_MESSAGE}
            {...form.getInputProps('message')}
          />
          <Button
            type="submit"
            loading={save.isPending}
            disabled={!isDirty}
            style={{ alignSelf: 'flex-start' }}
          >
            {texts.save}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

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
    ...(closesAt !== '' && {
      closesAt: keepsTime ? saved.closesAt : new Date(closesAt).toISOString(),
    }),
    ...(maxSubmissions !== undefined && { maxSubmissions }),
    ...(message !== '' && { message }),
  };
  return Object.keys(closing).length > 0 ? closing : undefined;
}

/** `2030-01-31T23:59` in the user's time zone, as the input shows it. */
function localTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
