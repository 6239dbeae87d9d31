import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import type { WebhookHealthOut } from '@svcforms/contracts';
import { webhooksTexts } from '../../../texts/webhooks.ts';
import { hourText, hourTicks, latencyText, tickText } from './health-format.ts';

const texts = webhooksTexts.health;

/** A separate file, because the chart library is large and loads lazily. */
export function HealthCharts({ hours }: { hours: WebhookHealthOut['hours'] }) {
  const names = hours.map(({ hour }) => hour);
  const common = {
    data: hours,
    dataKey: 'hour',
    withLegend: true,
    xAxisProps: {
      ticks: hourTicks(names),
      interval: 0,
      // Half of the last label is beyond its hour.
      padding: { right: 24 },
      tickFormatter: (hour: string) => tickText(hour, names),
    },
    // A tooltip that isn't shown has no hour.
    tooltipProps: { labelFormatter: (hour: unknown) => (typeof hour === 'string' ? hourText(hour) : '') },
  } as const;
  return (
    <>
      <div role="img" aria-label={texts.attemptsChart}>
        <BarChart
          {...common}
          h={200}
          type="stacked"
          yAxisProps={{ allowDecimals: false }}
          valueFormatter={(attempts) => attempts.toLocaleString('en')}
          barChartProps={{ accessibilityLayer: false }}
          series={[
            { name: 'succeeded', label: texts.succeeded, color: 'teal.6' },
            { name: 'failed', label: texts.failed, color: 'red.6' },
          ]}
        />
      </div>
      <div role="img" aria-label={texts.latencyChart}>
        <LineChart
          {...common}
          h={200}
          curveType="monotone"
          // An hour whose neighbors have no attempts has no line, so it needs a dot.
          dotProps={{ r: 2 }}
          yAxisProps={{ allowDecimals: false, width: 64 }}
          valueFormatter={(ms) => latencyText(ms)}
          lineChartProps={{ accessibilityLayer: false }}
          series={[
            { name: 'p50Ms', label: texts.p50, color: 'indigo.6' },
            { name: 'p95Ms', label: texts.p95, color: 'orange.6' },
          ]}
        />
      </div>
    </>
  );
}
