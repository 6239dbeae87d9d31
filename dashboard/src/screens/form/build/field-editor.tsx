import { Paper, Select, SimpleGrid, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { BLOCK_TYPES, FIELD_TYPES, RATING_STYLES, type FieldType, type FormField } from '@svcforms/contracts';
import { labelOf } from '../../../components/field-labels.ts';
import { buildTexts } from '../../../texts/build.ts';
import { NumberField } from '../draft/number-field.tsx';
import type { NewValues } from '../draft/logic-edits.ts';
import { numberOf, withProperty } from '../draft/with-property.ts';
import { DefaultInput } from './default-input.tsx';
import {
  BOUNDED,
  canBeRequired,
  CHOICES,
  CONTENT_TEXTS,
  TEXTS,
  withLabel,
  withOptions,
  withType,
} from '../draft/fields.ts';
import { OptionsInput } from './options-input.tsx';
import { ShowIfInput } from './show-if-input.tsx';
import { TextWithAnswers } from './text-with-answers.tsx';

const texts = buildTexts.field;
const TYPES = FIELD_TYPES.map((value) => ({ value, label: buildTexts.fields.types[value] }));

/** Edits one field. `error` returns the error of the last save for a path inside the field. */
export function FieldEditor({
  field,
  others,
  earlier,
  isNameSaved,
  onChange,
  onRemoveOption,
  error,
}: {
  field: FormField;
  others: readonly FormField[];
  /** The fields that visitors answer before this one. */
  earlier: readonly FormField[];
  /** Whether the name is in the saved form, so that submissions and webhooks may use it. */
  isNameSaved: boolean;
  /** Receives the values of the options that were renamed or removed, too. */
  onChange: (field: FormField, values?: NewValues) => void;
  /** Removes the option with this value, or asks the user first. */
  onRemoveOption: (value: string, remove: () => void) => void;
  error: (path: string) => string | undefined;
}) {
  const set = <K extends keyof FormField>(key: K, value: FormField[K] | '' | undefined) =>
    onChange(withProperty(field, key, value));
  const isShown = field.type !== 'hidden';
  const isBlock = BLOCK_TYPES.includes(field.type);
  const isText = CONTENT_TEXTS.some((type) => type === field.type);
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.title(labelOf(field))}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title(labelOf(field))}
        </Title>
        {isText && (
          <ContentTextInput
            field={field}
            answers={earlier}
            error={error('label')}
            onChange={(text) => set('label', text)}
          />
        )}
        {field.type === 'image' && <ImageInputs field={field} set={set} error={error} />}
        {isShown && !isText && !isBlock && (
          <TextWithAnswers
            label={texts.label}
            description={texts.labelHint}
            answers={earlier}
            value={field.label ?? ''}
            error={error('label')}
            onChange={(label) => onChange(withLabel(field, label, { others, isNameSaved }))}
          />
        )}
        <NameAndType field={field} onChange={onChange} error={error} />
        {field.type === 'hidden' && (
          <Text size="sm" c="dimmed">
            {texts.hiddenHint(field.name)}
          </Text>
        )}
        {canBeRequired(field.type) && (
          <Switch
            label={texts.required}
            checked={field.required ?? false}
            onChange={({ currentTarget }) => set('required', currentTarget.checked || undefined)}
          />
        )}
        {CHOICES.includes(field.type) && (
          <OptionsInput
            options={field.options ?? []}
            onChange={(options, values) => onChange(withOptions(field, options, values), values)}
            onRemove={onRemoveOption}
            error={(path) => error(path ? `options.${path}` : 'options')}
          />
        )}
        {(TEXTS.includes(field.type) || field.type === 'number' || field.type === 'select') && (
          <TextInput
            label={texts.placeholder}
            value={field.placeholder ?? ''}
            error={error('placeholder')}
            onChange={({ currentTarget }) => set('placeholder', currentTarget.value)}
          />
        )}
        {isShown && !isBlock && (
          <TextWithAnswers
            isLong
            label={texts.help}
            answers={earlier}
            value={field.help ?? ''}
            error={error('help')}
            onChange={(help) => set('help', help)}
          />
        )}
        {BOUNDED.includes(field.type) && <BoundInputs field={field} set={set} error={error} />}
        {TEXTS.includes(field.type) && <LengthInputs field={field} set={set} error={error} />}
        {field.type === 'rating' && (
          <RatingStyleInput value={field.ratingStyle} onChange={(style) => set('ratingStyle', style)} />
        )}
        {!isBlock && field.type !== 'consent' && (
          <DefaultInput
            field={field}
            error={error('defaultValue')}
            onChange={(value) => set('defaultValue', value)}
          />
        )}
        {isShown && (
          <StepInput step={field.step ?? 1} error={error('step')} onChange={(step) => set('step', step)} />
        )}
        <ShowIfInput
          showIf={field.showIf}
          others={others}
          earlier={earlier}
          onChange={(showIf) => set('showIf', showIf)}
          error={(path) => error(path ? `showIf.${path}` : 'showIf')}
        />
      </Stack>
    </Paper>
  );
}

function NameAndType({
  field,
  onChange,
  error,
}: {
  field: FormField;
  onChange: (field: FormField) => void;
  error: (path: string) => string | undefined;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        value={field.name}
        maxLength={64}
        error={error('name')}
        onChange={({ currentTarget }) => onChange({ ...field, name: currentTarget.value })}
      />
      <Select
        label={texts.type}
        description={' '}
        data={TYPES}
        value={field.type}
        allowDeselect={false}
        error={error('type')}
        onChange={(type) => type && onChange(withType(field, type as FieldType))}
      />
    </SimpleGrid>
  );
}

/** The text of a heading, a paragraph or a consent. */
function ContentTextInput({
  field,
  answers,
  error,
  onChange,
}: {
  field: FormField;
  answers: readonly FormField[];
  error: string | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <TextWithAnswers
      isLong
      label={texts.text}
      description={
        field.type === 'consent' ? texts.consentHint : field.type === 'paragraph' && texts.textHint
      }
      minRows={field.type === 'heading' ? 1 : 3}
      // A consent shows exactly the text that it stores.
      answers={field.type === 'consent' ? [] : answers}
      value={field.label ?? ''}
      error={error}
      onChange={onChange}
    />
  );
}

function RatingStyleInput({
  value,
  onChange,
}: {
  value: FormField['ratingStyle'];
  onChange: (style: FormField['ratingStyle']) => void;
}) {
  return (
    <Select
      label={buildTexts.design.ratingStyle}
      placeholder={buildTexts.design.automatic}
      clearable
      data={RATING_STYLES.map((style) => ({ value: style, label: buildTexts.design.ratingStyles[style] }))}
      value={value ?? null}
      onChange={(style) => onChange((style ?? undefined) as FormField['ratingStyle'])}
    />
  );
}

function ImageInputs({
  field,
  set,
  error,
}: {
  field: FormField;
  set: (key: 'src' | 'alt', value: string) => void;
  error: (path: string) => string | undefined;
}) {
  return (
    <>
      <TextInput
        label={texts.src}
        type="url"
        placeholder="https://"
        value={field.src ?? ''}
        error={error('src')}
        onChange={({ currentTarget }) => set('src', currentTarget.value)}
      />
      <TextInput
        label={texts.alt}
        description={texts.altHint}
        maxLength={500}
        value={field.alt ?? ''}
        error={error('alt')}
        onChange={({ currentTarget }) => set('alt', currentTarget.value)}
      />
    </>
  );
}

/** The step that the field is on; the first one is stored as none. */
function StepInput({
  step,
  error,
  onChange,
}: {
  step: number;
  error: string | undefined;
  onChange: (step: number | undefined) => void;
}) {
  return (
    <NumberField
      label={texts.step}
      description={texts.stepHint}
      min={1}
      max={100}
      allowDecimal={false}
      value={step}
      error={error}
      onChange={(entered) => onChange(entered === 1 ? undefined : entered)}
    />
  );
}

function LengthInputs({
  field,
  set,
  error,
}: {
  field: FormField;
  set: (key: 'minLength' | 'maxLength', value: number | undefined) => void;
  error: (path: string) => string | undefined;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {(['minLength', 'maxLength'] as const).map((key) => (
        <NumberField
          key={key}
          label={texts[key]}
          min={0}
          allowDecimal={false}
          value={field[key]}
          error={error(key)}
          onChange={(value) => set(key, value)}
        />
      ))}
    </SimpleGrid>
  );
}

/** Number inputs for numbers and ratings, date and time inputs for the other types. */
function BoundInputs({
  field,
  set,
  error,
}: {
  field: FormField;
  set: (key: 'min' | 'max', value: number | string | undefined) => void;
  error: (path: string) => string | undefined;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {(['min', 'max'] as const).map((key) =>
        field.type === 'number' || field.type === 'rating' ? (
          <NumberField
            key={key}
            label={texts[key]}
            value={numberOf(field[key] ?? '')}
            error={error(key)}
            onChange={(value) => set(key, value)}
          />
        ) : (
          <TextInput
            key={key}
            type={field.type}
            label={texts[key]}
            value={field[key] ?? ''}
            error={error(key)}
            onChange={({ currentTarget }) => set(key, currentTarget.value)}
          />
        ),
      )}
    </SimpleGrid>
  );
}
