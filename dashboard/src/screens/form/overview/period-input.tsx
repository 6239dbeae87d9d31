import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { DayInput } from '../../../components/day-input.tsx';
import { formTexts } from '../../../texts/form.ts';
import { RANGES, type OverviewSearch, type Range } from './overview-search.ts';
import { periodProblem, type Period } from './period.ts';

const texts = formTexts.overview;

/** Chooses a period: the last days, or a first and a last day. */
export function PeriodInput({
  search,
  period,
  today,
  onChange,
}: {
  search: OverviewSearch;
  period: Period;
  today: string;
  /** Receives the new parameters for the URL. */
  onChange: (search: OverviewSearch) => void;
}) {
  const { range = '30d' } = search;
  const problem = periodProblem(period, today);
  const choose = (chosen: Range) =>
    onChange(chosen === '30d' ? {} : chosen === 'custom' ? { range: chosen, ...period } : { range: chosen });
  const setDay = (day: Partial<Period>) => onChange({ range: 'custom', ...period, ...day });
  return (
    <Stack gap="xs">
      <Group align="flex-end">
        <SegmentedControl
          aria-label={texts.period}
          value={range}
          onChange={(value) => choose(value as Range)}
          data={RANGES.map((value) => ({
            value,
            label: value === 'custom' ? texts.custom : texts.lastDays(parseInt(value, 10)),
          }))}
        />
        {range === 'custom' && (
          <>
            <DayInput label={texts.from} value={period.from} onDay={(from) => from && setDay({ from })} />
            <DayInput label={texts.to} value={period.to} onDay={(to) => to && setDay({ to })} />
          </>
        )}
      </Group>
      {problem && (
        <Text c="red" role="alert">
          {texts.problems[problem]}
        </Text>
      )}
    </Stack>
  );
}
