import { Select, TextInput } from '@mantine/core';
import type { TriggerSettings } from '@svcforms/contracts';
import { displayTexts } from '../../../texts/display.ts';
import { NumberField } from '../draft/number-field.tsx';

const texts = displayTexts.trigger;
type Parameters = Omit<TriggerSettings, 'trigger' | 'and'>;

/** The parameter of a trigger, if it has one. */
export function ConditionInputs({
  condition,
  onChange,
  error,
}: {
  condition: TriggerSettings;
  /** One parameter; `undefined` removes it. */
  onChange: (changed: { [K in keyof Parameters]: Parameters[K] | undefined }) => void;
  error: (path: string) => string | undefined;
}) {
  switch (condition.trigger) {
    case 'delay':
    case 'inactivity':
      return (
        <NumberField
          label={condition.trigger === 'delay' ? texts.delaySeconds : texts.inactivitySeconds}
          min={0}
          max={3600}
          decimalScale={3}
          placeholder="5"
          value={condition.delayMs}
          store={(seconds) => Math.round(seconds * 1000)}
          show={(ms) => ms / 1000}
          error={error('delayMs')}
          onChange={(delayMs) => onChange({ delayMs })}
        />
      );
    case 'scroll':
      return (
        <NumberField
          label={texts.scrollPercent}
          min={0}
          max={100}
          placeholder="50"
          value={condition.scrollPercent}
          error={error('scrollPercent')}
          onChange={(scrollPercent) => onChange({ scrollPercent })}
        />
      );
    case 'click':
    case 'visible':
      return (
        <TextInput
          label={texts.selector}
          description={texts.selectorHint}
          maxLength={500}
          value={condition.selector ?? ''}
          error={error('selector') ?? error('')}
          onChange={({ currentTarget }) => onChange({ selector: currentTarget.value || undefined })}
        />
      );
    case 'intent':
      return (
        <Select
          label={texts.level}
          allowDeselect={false}
          data={(['any', 'warm', 'hot'] as const).map((value) => ({ value, label: texts.levels[value] }))}
          value={condition.intentLevel ?? 'any'}
          error={error('intentLevel')}
          onChange={(level) =>
            onChange({ intentLevel: level === 'warm' || level === 'hot' ? level : undefined })
          }
        />
      );
    default:
      return null;
  }
}
