import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { Box } from '@mantine/core';
import type { StatsOut } from '@svcforms/contracts';
import { formTexts } from '../../../texts/form.ts';
import { dateTicks } from './date-ticks.ts';
import type { Count } from './totals.ts';

const texts = formTexts.overview;
/** The API counts days in UTC. */
const DAY = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const SERIES = [
  { name: 'viewed', color: 'grape.6' },
  { name: 'shown', color: 'indigo.6' },
  { name: 'submissions', color: 'orange.6' },
  // Dashed, because of a popup it is nearly the same line as the one of the submissions.
  { name: 'converted', color: 'teal.6', strokeDasharray: '6 6' },
] as const;

/** A separate file, because the chart library is large and loads lazily. */
export function StatsChart({ days, counts }: { days: StatsOut; counts: readonly Count[] }) {
  return (
    <Box role="img" aria-label={texts.chart}>
      <AreaChart
        h={240}
        // Days without views have no such count.
        data={days.map((day) => ({ viewed: 0, ...day }))}
        dataKey="date"
        withLegend
        curveType="monotone"
        withDots={false}
        xAxisProps={{
          ticks: dateTicks(days.map(({ date }) => date)),
          interval: 0,
          // Half of the last label is beyond its day.
          padding: { right: 24 },
          tickFormatter: (date: string) => DAY.format(new Date(date)),
        }}
        yAxisProps={{ allowDecimals: false }}
        valueFormatter={(count) => count.toLocaleString('en')}
        areaChartProps={{ accessibilityLayer: false }}
        series={SERIES.filter(({ name }) => counts.includes(name)).map((one) => ({
          ...one,
          label: texts[one.name],
        }))}
      />
    </Box>
  );
}
