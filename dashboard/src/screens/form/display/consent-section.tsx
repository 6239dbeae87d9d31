import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { displayTexts } from '../../../texts/display.ts';
import { withProperty } from '../draft/with-property.ts';
import { CONSENT_PRESETS, findPreset, type ConsentPreset, type ConsentSource } from './consent-presets.ts';
import type { SectionProps } from './section-props.ts';

const texts = displayTexts.consent;
const SOURCES = ['cookie', 'storageKey', 'windowPath', 'category'] as const;

/** Where the site's consent banner stores its choice: a known banner, or custom sources. */
export function ConsentSection({ popup, onChange, error }: SectionProps) {
  const source = popup.trackingConsent;
  // A custom banner starts without sources.
  const [isOther, setOther] = useState(false);
  const set = (changed: ConsentSource | undefined) =>
    onChange(
      withProperty(
        popup,
        'trackingConsent',
        changed && Object.keys(changed).length > 0 ? changed : undefined,
      ),
    );
  const preset = source && findPreset(source);
  const shown = !isOther && preset ? preset.name : source || isOther ? texts.other : texts.none;
  const { consentMode } = source ?? {};
  const mode = consentMode === undefined ? 'off' : consentMode === true ? 'analytics' : 'other';
  return (
    <Stack gap="sm">
      <Text>{texts.text}</Text>
      <Select
        label={texts.preset}
        allowDeselect={false}
        data={[texts.none, ...CONSENT_PRESETS.map(({ name }) => name), texts.other]}
        value={shown}
        onChange={(name) => {
          setOther(name === texts.other);
          if (name !== texts.other) set(CONSENT_PRESETS.find((preset) => preset.name === name)?.source);
        }}
      />
      {shown !== texts.none && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {SOURCES.map((key) => (
            <TextInput
              key={key}
              label={texts[key]}
              description={hintOf(key, preset)}
              spellCheck={false}
              value={source?.[key] ?? ''}
              error={error(`trackingConsent.${key}`)}
              onChange={({ currentTarget }) => set(withProperty(source ?? {}, key, currentTarget.value))}
            />
          ))}
          <Select
            label={texts.mode}
            allowDeselect={false}
            data={[
              { value: 'off', label: texts.modeOff },
              { value: 'analytics', label: texts.modeAnalytics },
              { value: 'other', label: texts.modeOther },
            ]}
            value={mode}
            onChange={(value) =>
              set(
                withProperty(
                  source ?? {},
                  'consentMode',
                  value === 'analytics' ? true : value === 'other' ? 'ad_storage' : undefined,
                ),
              )
            }
          />
          {typeof consentMode === 'string' && (
            <TextInput
              label={texts.modeKey}
              value={consentMode}
              error={error('trackingConsent.consentMode')}
              onChange={({ currentTarget }) => set({ ...source, consentMode: currentTarget.value })}
            />
          )}
        </SimpleGrid>
      )}
    </Stack>
  );
}

function hintOf(key: (typeof SOURCES)[number], preset: ConsentPreset | undefined): string | undefined {
  if (key === 'category') return texts.categoryHint;
  return key === 'cookie' && preset?.hasOwnEnding ? texts.ownEndingHint(preset.name) : undefined;
}
