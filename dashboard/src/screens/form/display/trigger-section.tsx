import { Paper, Radio, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { SIMPLE_TRIGGERS, TRIGGERS, type Popup, type SimpleTrigger, type Trigger } from '@svcforms/contracts';
import { useState } from 'react';
import { Advanced } from '../../../components/advanced.tsx';
import { displayTexts } from '../../../texts/display.ts';
import { NumberField } from '../draft/number-field.tsx';
import { withProperty } from '../draft/with-property.ts';
import { ConditionInputs } from './condition-inputs.tsx';
import type { SectionProps } from './section-props.ts';
import {
  defined,
  conditionOf,
  isSimpleTrigger,
  type Condition,
  usesTrigger,
  withCondition,
  withTrigger,
} from './trigger-choice.ts';
import { TriggerTextInput } from './trigger-text-input.tsx';

const texts = displayTexts.trigger;
const EXIT_NUMBERS = ['exitSensitivityPx', 'mouseLeaveDelayMs'] as const;

/** What a half of a combination was with its other triggers, for switching back. */
type Kept = Readonly<Partial<Record<SimpleTrigger, Condition>>>;

/** The popup's trigger, as inputs or as a trigger string. */
export function TriggerSection({ popup, onChange, error }: SectionProps) {
  const [kept, setKept] = useState<Readonly<Record<number, Kept>>>({});
  const isGuarded = (['exit', 'scroll', 'visible', 'intent'] as const).some((trigger) =>
    usesTrigger(popup, trigger),
  );
  return (
    <Stack gap="sm">
      <Radio.Group
        label={texts.label}
        value={popup.trigger ?? ''}
        error={error('trigger')}
        onChange={(trigger) => onChange(withTrigger(popup, trigger as Trigger))}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          {TRIGGERS.map((trigger) => (
            <Radio
              key={trigger}
              value={trigger}
              label={texts.triggers[trigger].label}
              description={texts.triggers[trigger].text}
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {popup.trigger === 'all' ? (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {[0, 1].map((index) => (
            <HalfInputs
              key={index}
              index={index}
              kept={kept[index] ?? {}}
              onKeep={(half) => setKept({ ...kept, [index]: half })}
              {...{ popup, onChange, error }}
            />
          ))}
        </SimpleGrid>
      ) : (
        <ConditionInputs
          condition={popup}
          onChange={(changed) => onChange(defined({ ...popup, ...changed }) as Popup)}
          error={error}
        />
      )}
      {error('and') && <Text c="var(--mantine-color-error)">{error('and')}</Text>}
      {usesTrigger(popup, 'intent') && <Text c="dimmed">{texts.intentHint}</Text>}
      {isGuarded && <Text c="dimmed">{texts.guard}</Text>}
      <Advanced hasError={EXIT_NUMBERS.some((key) => error(key) !== undefined)}>
        <Stack gap="sm">
          {usesTrigger(popup, 'exit') && (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {EXIT_NUMBERS.map((key) => (
                <NumberField
                  key={key}
                  label={texts[key]}
                  min={0}
                  max={key === 'exitSensitivityPx' ? 1000 : 60_000}
                  allowDecimal={false}
                  placeholder={key === 'exitSensitivityPx' ? '20' : '1000'}
                  value={popup[key]}
                  error={error(key)}
                  onChange={(value) => onChange(withProperty(popup, key, value))}
                />
              ))}
            </SimpleGrid>
          )}
          <TriggerTextInput popup={popup} onChange={onChange} />
        </Stack>
      </Advanced>
    </Stack>
  );
}

function HalfInputs({
  index,
  kept,
  onKeep,
  popup,
  onChange,
  error,
}: SectionProps & {
  index: number;
  kept: Kept;
  onKeep: (kept: Kept) => void;
}) {
  const condition = popup.and?.[index];
  if (!condition) return null;
  const name = index === 0 ? texts.first : texts.second;
  return (
    <Paper withBorder p="sm" component="fieldset" m={0} miw={0}>
      <Text component="legend" fw="var(--mantine-font-weight-medium)">
        {name}
      </Text>
      <Stack gap="xs">
        <Select
          aria-label={`${texts.condition}: ${name}`}
          allowDeselect={false}
          data={SIMPLE_TRIGGERS.map((value) => ({ value, label: texts.triggers[value].label }))}
          value={condition.trigger}
          onChange={(trigger) => {
            if (!isSimpleTrigger(trigger)) return;
            onKeep({ ...kept, [condition.trigger]: condition });
            const next = kept[trigger] ?? conditionOf(popup, trigger);
            onChange({ ...popup, and: (popup.and ?? []).map((one, n) => (n === index ? next : one)) });
          }}
        />
        <ConditionInputs
          condition={condition}
          onChange={(changed) => onChange(withCondition(popup, index, changed))}
          error={(path) => error(path ? `and.${index}.${path}` : `and.${index}`)}
        />
      </Stack>
    </Paper>
  );
}
