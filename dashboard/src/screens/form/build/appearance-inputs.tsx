import { ColorInput, NumberInput, SimpleGrid, Stack, Switch, TextInput, Textarea } from '@mantine/core';
import type { FormSettings } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import { numberOf, withProperty } from '../draft/with-property.ts';

interface Props {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
}

/** Removes empty values, so that an empty theme means the default look. */
function undefinedIfEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

export function ThemeInputs({ settings, onChange, error }: Props) {
  const texts = buildTexts.theme;
  const theme = settings.theme ?? {};
  const set = <K extends keyof typeof theme>(key: K, value: (typeof theme)[K] | '' | undefined) =>
    onChange(withProperty(settings, 'theme', undefinedIfEmpty(withProperty(theme, key, value))));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {(['accent', 'background', 'text'] as const).map((key) => (
        <ColorInput
          key={key}
          label={texts[key]}
          value={theme[key] ?? ''}
          error={error(`theme.${key}`)}
          // Incomplete colors stay as typed; the API reports invalid ones.
          fixOnBlur={false}
          withEyeDropper={false}
          onChange={(color) => set(key, color)}
        />
      ))}
      <NumberInput
        label={texts.radius}
        min={0}
        max={48}
        value={theme.radius ?? ''}
        error={error('theme.radius')}
        onChange={(value) => set('radius', numberOf(value))}
      />
      <TextInput
        label={texts.font}
        description={texts.fontHint}
        maxLength={100}
        value={theme.font ?? ''}
        error={error('theme.font')}
        onChange={({ currentTarget }) => set('font', currentTarget.value)}
      />
    </SimpleGrid>
  );
}

export function EndingInputs({ settings, onChange, error }: Props) {
  const texts = buildTexts.ending;
  const thankYou = settings.thankYou ?? {};
  const set = <K extends keyof typeof thankYou>(key: K, value: (typeof thankYou)[K] | '' | undefined) =>
    onChange(withProperty(settings, 'thankYou', undefinedIfEmpty(withProperty(thankYou, key, value))));
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.submitLabel}
        value={settings.submitLabel ?? ''}
        error={error('submitLabel')}
        onChange={({ currentTarget }) => onChange(withProperty(settings, 'submitLabel', currentTarget.value))}
      />
      <TextInput
        label={texts.thankYouTitle}
        value={thankYou.title ?? ''}
        error={error('thankYou.title')}
        onChange={({ currentTarget }) => set('title', currentTarget.value)}
      />
      <Textarea
        label={texts.thankYouMessage}
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
