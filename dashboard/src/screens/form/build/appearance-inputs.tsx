import { Stack, Switch, TextInput, Textarea } from '@mantine/core';
import type { FormSettings } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import type { ShownPart } from './build-preview.tsx';
import { undefinedIfEmpty, withProperty } from '../draft/with-property.ts';

interface Props {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
}

export function EndingInputs({
  settings,
  onChange,
  error,
  onPart,
}: Props & {
  /** The user goes to an input of this part of the form. */
  onPart: (part: ShownPart) => void;
}) {
  const follow = (part: ShownPart) => ({
    onPointerDown: () => onPart(part),
    onKeyUp: ({ key }: { key: string }) => key === 'Tab' && onPart(part),
  });
  const texts = buildTexts.ending;
  const thankYou = settings.thankYou ?? {};
  const set = <K extends keyof typeof thankYou>(key: K, value: (typeof thankYou)[K] | '' | undefined) =>
    onChange(withProperty(settings, 'thankYou', undefinedIfEmpty(withProperty(thankYou, key, value))));
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.submitLabel}
        {...follow('form')}
        value={settings.submitLabel ?? ''}
        error={error('submitLabel')}
        onChange={({ currentTarget }) => onChange(withProperty(settings, 'submitLabel', currentTarget.value))}
      />
      <TextInput
        label={texts.thankYouTitle}
        {...follow('thankYou')}
        value={thankYou.title ?? ''}
        error={error('thankYou.title')}
        onChange={({ currentTarget }) => set('title', currentTarget.value)}
      />
      <Textarea
        label={texts.thankYouMessage}
        {...follow('thankYou')}
        autosize
        value={thankYou.message ?? ''}
        error={error('thankYou.message')}
        onChange={({ currentTarget }) => set('message', currentTarget.value)}
      />
      <TextInput
        label={texts.redirectUrl}
        type="url"
        placeholder="https://"
        value={thankYou.redirectUrl ?? ''}
        error={error('thankYou.redirectUrl')}
        onChange={({ currentTarget }) => set('redirectUrl', currentTarget.value)}
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
