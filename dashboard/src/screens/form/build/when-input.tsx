import { Select, Stack } from '@mantine/core';
import { conditionsIn, type FormField, type LogicConditions } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import { ConditionRows, newRule } from './condition-rows.tsx';

const texts = buildTexts.logic;

/** Always, or while all or any conditions hold. */
export function WhenInput({
  rule,
  sources,
  mayBeAlways,
  onChange,
  error,
}: {
  rule: LogicConditions | undefined;
  sources: readonly FormField[];
  mayBeAlways: boolean;
  onChange: (rule: LogicConditions | undefined) => void;
  /** The error of the last save for a path inside the rule. */
  error: (path: string) => string | undefined;
}) {
  const choose = (kind: string | null) => {
    const list = rule ? [...conditionsIn(rule).list] : [];
    if (kind === 'always') return onChange(undefined);
    if (list.length === 0) return onChange(newRule(kind === 'any', sources));
    onChange(kind === 'any' ? { any: list } : { all: list });
  };
  return (
    <Stack gap="xs">
      <Select
        label={texts.when}
        allowDeselect={false}
        data={[
          ...(mayBeAlways ? [{ value: 'always', label: texts.always }] : []),
          { value: 'all', label: texts.all, disabled: sources.length === 0 },
          { value: 'any', label: texts.any, disabled: sources.length === 0 },
        ]}
        value={rule ? ('any' in rule ? 'any' : 'all') : 'always'}
        error={error('')}
        onChange={choose}
      />
      {rule && <ConditionRows rule={rule} sources={sources} onChange={onChange} error={error} />}
    </Stack>
  );
}
