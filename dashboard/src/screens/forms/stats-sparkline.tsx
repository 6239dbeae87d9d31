import { Text } from '@mantine/core';
import { formsTexts as texts } from '../../texts/forms.ts';
import type { FormStats } from './use-form-stats.ts';

const WIDTH = 120;
const HEIGHT = 28;

/** Impressions and conversions of a form by day, as a small chart for a table row. */
export function StatsSparkline({ days }: Pick<FormStats, 'days'>) {
  const shown = days.map((day) => day.shown);
  const converted = days.map((day) => day.converted);
  const most = Math.max(...shown, ...converted);
  if (most === 0) {
    return (
      <Text c="dimmed" span>
        {texts.noLine}
      </Text>
    );
  }
  const points = (values: readonly number[]) =>
    values
      .map((value, index) => {
        const x = (index / Math.max(1, values.length - 1)) * WIDTH;
        return `${x.toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`;
      })
      .join(' ');
  return (
    <svg
      role="img"
      aria-label={texts.line(sum(shown), sum(converted))}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      strokeWidth={2}
      strokeLinejoin="round"
    >
      <polyline points={points(shown)} stroke="var(--mantine-color-indigo-5)" />
      <polyline points={points(converted)} stroke="var(--mantine-color-teal-6)" strokeDasharray="3 2" />
    </svg>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
