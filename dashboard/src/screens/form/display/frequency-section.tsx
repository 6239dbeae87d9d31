import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Popup } from '@svcforms/contracts';
import { displayTexts } from '../../../texts/display.ts';
import { NumberField } from '../draft/number-field.tsx';
import { withProperty } from '../draft/with-property.ts';
import type { SectionProps } from './section-props.ts';

const texts = displayTexts.frequency;
type Decline = NonNullable<Popup['decline']>;

/** The frequency cap and the decline button, with a summary. */
export function FrequencySection({ popup, onChange, error }: SectionProps) {
  const decline = popup.decline ?? {};
  const setDecline = (changed: Decline) =>
    onChange(withProperty(popup, 'decline', Object.keys(changed).length > 0 ? changed : undefined));
  return (
    <Stack gap="sm">
      <Text role="status">
        {texts.again(
          popup.frequencyDays ?? 30,
          popup.maxShows,
          decline.enabled ? (decline.suppressDays ?? 90) : undefined,
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label={texts.frequencyDays}
          description={texts.frequencyDaysHint}
          min={0}
          max={3650}
          allowDecimal={false}
          value={popup.frequencyDays}
          error={error('frequencyDays')}
          onChange={(value) => onChange(withProperty(popup, 'frequencyDays', value))}
        />
        <NumberField
          label={texts.maxShows}
          description={texts.maxShowsHint}
          min={1}
          max={1000}
          allowDecimal={false}
          value={popup.maxShows}
          error={error('maxShows')}
          onChange={(value) => onChange(withProperty(popup, 'maxShows', value))}
        />
      </SimpleGrid>
      <Switch
        label={texts.decline}
        checked={decline.enabled ?? false}
        onChange={({ currentTarget }) => setDecline(withProperty(decline, 'enabled', currentTarget.checked))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={texts.declineText}
          placeholder={texts.declinePlaceholder}
          maxLength={80}
          disabled={!decline.enabled}
          value={decline.text ?? ''}
          error={error('decline.text')}
          onChange={({ currentTarget }) => setDecline(withProperty(decline, 'text', currentTarget.value))}
        />
        <NumberField
          label={texts.suppressDays}
          description={texts.suppressDaysHint}
          min={0}
          max={3650}
          allowDecimal={false}
          disabled={!decline.enabled}
          value={decline.suppressDays}
          error={error('decline.suppressDays')}
          onChange={(value) => setDecline(withProperty(decline, 'suppressDays', value))}
        />
      </SimpleGrid>
    </Stack>
  );
}
