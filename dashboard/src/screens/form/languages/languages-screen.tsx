import { Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  directionOf,
  LANGUAGES,
  publicForm,
  type FormDefinition,
  type Language,
  type PreviewRequest,
} from '@svcforms/contracts';
import { useMemo, useState } from 'react';
import { DeleteButton } from '../../../components/delete-button.tsx';
import { Page } from '../../../components/page.tsx';
import { buildTexts } from '../../../texts/build.ts';
import { languagesTexts as texts } from '../../../texts/languages.ts';
import { DraftBar } from '../draft/draft-bar.tsx';
import { FormPreview } from '../../../components/form-preview.tsx';
import { useFormDraft, type FormDraft } from '../draft/use-form-draft.ts';
import { withProperty } from '../draft/with-property.ts';
import { slotsOf, textAt, withText, withTranslation } from '../draft/translations.ts';

/** Edits the translations of a form next to its own texts. */
export function LanguagesScreen() {
  const draft = useFormDraft();
  const { form, change, errors } = draft;
  const { language: own, translations = {} } = form.settings;
  const translated = Object.keys(translations) as Language[];
  const [chosen, setChosen] = useState<Language | null>(translated[0] ?? null);
  const firstInvalid = LANGUAGES.find((language) =>
    Object.keys(errors).some((path) => path.startsWith(`settings.translations.${language}`)),
  );
  const [handledErrors, setHandledErrors] = useState(errors);
  if (handledErrors !== errors) {
    setHandledErrors(errors);
    if (firstInvalid) setChosen(firstInvalid);
  }
  const options = LANGUAGES.filter((language) => language !== own).map((value) => ({
    value,
    label: translated.includes(value) ? texts.listed(texts.names[value]) : texts.names[value],
  }));
  return (
    <Page title={texts.title} of={form.name} actions={<DraftBar draft={draft} />}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} maw={800}>
        <Select
          label={texts.own}
          description={texts.ownHint}
          placeholder={texts.notSet}
          clearable
          data={LANGUAGES.filter((language) => !translated.includes(language)).map((value) => ({
            value,
            label: texts.names[value],
          }))}
          value={own ?? null}
          error={errors['settings.language']}
          onChange={(value) => {
            const language = (value ?? undefined) as Language | undefined;
            if (language === chosen) setChosen(null);
            change({ ...form, settings: withProperty(form.settings, 'language', language) });
          }}
        />
        <Select
          label={texts.translate}
          description={texts.chooseHint}
          placeholder={texts.choose}
          data={options}
          value={chosen}
          allowDeselect={false}
          onChange={(value) => setChosen(value as Language | null)}
        />
      </SimpleGrid>
      {chosen && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <TranslationInputs key={chosen} draft={draft} language={chosen} />
          <TranslationPreview formId={draft.formId} form={form} language={chosen} />
        </SimpleGrid>
      )}
    </Page>
  );
}

/** Every text of the form beside its translation. */
function TranslationInputs({
  draft: { form, change, errors },
  language,
}: {
  draft: FormDraft;
  language: Language;
}) {
  const translation = form.settings.translations?.[language];
  const slots = slotsOf(form);
  const done = slots.filter(({ path }) => textAt(translation, path)).length;
  const set = (path: readonly string[], text: string) => {
    const changed = withText(translation ?? {}, path, text);
    const isEmpty = Object.keys(changed).length === 0;
    change({
      ...form,
      settings: withTranslation(form.settings, language, isEmpty ? undefined : changed),
    });
  };
  return (
    <Stack gap="md" miw={0} component="section" aria-label={texts.names[language]}>
      <Group justify="space-between">
        <Text c="dimmed">{texts.done(done, slots.length)}</Text>
        {translation && (
          <DeleteButton
            size="xs"
            question={{
              title: texts.removeTitle(texts.names[language]),
              text: texts.removeText,
              confirm: texts.remove,
              onConfirm: () =>
                change({ ...form, settings: withTranslation(form.settings, language, undefined) }),
            }}
          />
        )}
      </Group>
      {slots.map(({ label, original, path, isLong }) => {
        const key = path.join('.');
        const Input = isLong ? Textarea : TextInput;
        return (
          <SimpleGrid key={key} cols={{ base: 1, xs: 2 }} spacing="sm">
            <div>
              <Text fw={600}>{label}</Text>
              <Text c="dimmed" style={{ whiteSpace: 'pre-line' }}>
                {original}
              </Text>
            </div>
            <Input
              label={`${texts.names[language]}`}
              aria-label={`${label}, ${texts.names[language]}`}
              lang={language}
              dir={directionOf(language)}
              {...(isLong && { autosize: true, minRows: 2 })}
              value={textAt(translation, path)}
              error={errors[`settings.translations.${language}.${key}`]}
              onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
                set(path, currentTarget.value)
              }
            />
          </SimpleGrid>
        );
      })}
    </Stack>
  );
}

const TYPING_ENDS_AFTER_MS = 200;

/** The form as visitors see it in the language. */
function TranslationPreview({
  formId,
  form,
  language,
}: {
  formId: string;
  form: FormDefinition;
  language: Language;
}) {
  const [debounced] = useDebouncedValue(form, TYPING_ENDS_AFTER_MS);
  const request = useMemo<PreviewRequest>(
    () => ({ show: 'form', form: { ...publicForm(formId, debounced, language), language } }),
    [formId, debounced, language],
  );
  return <FormPreview title={buildTexts.preview.frame} request={request} height={560} />;
}
