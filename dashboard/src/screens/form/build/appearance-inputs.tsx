import { Stack, Switch, TextInput } from '@mantine/core';
import { valueFields, type FormField, type FormSettings } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import type { ShowPart, ShownPart } from './build-preview.tsx';
import { EndingList } from './ending-list.tsx';
import { TextWithAnswers } from './text-with-answers.tsx';
import { undefinedIfEmpty, withProperty } from '../draft/with-property.ts';

interface Props {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
}

export function EndingInputs({
  fields,
  settings,
  onChange,
  error,
  onPart,
}: Props & {
  fields: readonly FormField[];
  /** The user goes to an input of this part of the form. */
  onPart: ShowPart;
}) {
  const answers = valueFields(fields);
  const follow = (part: ShownPart, ending?: number) => ({
    onPointerDown: () => onPart(part, ending),
    onKeyUp: ({ key }: { key: string }) => key === 'Tab' && onPart(part, ending),
  });
  const texts = buildTexts.ending;
  const thankYou = settings.thankYou ?? {};
  const set = <K extends keyof typeof thankYou>(key: K, value: (typeof thankYou)[K] | '' | undefined) =>
    onChange(withProperty(settings, 'thankYou', undefinedIfEmpty(withProperty(thankYou, key, value))));
  return (
    <Stack gap="sm">
      <TextWithAnswers
        label={texts.submitLabel}
        answers={answers}
        {...follow('form')}
        value={settings.submitLabel ?? ''}
        error={error('submitLabel')}
        onChange={(label) => onChange(withProperty(settings, 'submitLabel', label))}
      />
      <TextWithAnswers
        label={texts.thankYouTitle}
        answers={answers}
        {...follow('thankYou')}
        value={thankYou.title ?? ''}
        error={error('thankYou.title')}
        onChange={(title) => set('title', title)}
      />
      <TextWithAnswers
        isLong
        label={texts.thankYouMessage}
        answers={answers}
        {...follow('thankYou')}
        value={thankYou.message ?? ''}
        error={error('thankYou.message')}
        onChange={(message) => set('message', message)}
      />
      <TextInput
        label={texts.redirectUrl}
        type="url"
        placeholder="https://"
        value={thankYou.redirectUrl ?? ''}
        error={error('thankYou.redirectUrl')}
        onChange={({ currentTarget }) => set('redirectUrl', currentTarget.value)}
      />
      <EndingList
        fields={fields}
        settings={settings}
        onChange={onChange}
        error={error}
        follow={(ending) => follow('thankYou', ending)}
        onRemoved={() => onPart('thankYou')}
      />
      <Switch
        label={texts.keepDraft}
        checked={settings.keepDraft ?? true}
        onChange={({ currentTarget }) =>
          onChange(withProperty(settings, 'keepDraft', currentTarget.checked ? undefined : false))
        }
      />
    </Stack>
  );
}
