import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { buildInfo, type Metrics } from '@svcforms/runtime';

type Metric = Awaited<ReturnType<Metrics['collect']>>[number];
type Sample = Metric['values'][number] & { metricName?: string };

/**
 * Reads the registry behind /metrics for each export, so that both say the same, by the same names.
 */
export function createMetricProducer(metrics: Pick<Metrics, 'collect'>): MetricProducer {
  const startTime = millisToHrTime(performance.timeOrigin);
  return {
    async collect() {
      const found = await metrics.collect();
      const time = { startTime, endTime: millisToHrTime(Date.now()) };
      const converted = found.flatMap((metric) => converterOf(metric, time));
      return {
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope: { name: 'svcforms', version: buildInfo.version }, metrics: converted }],
        },
        errors: [],
      };
    },
  };
}

type Time = { startTime: HrTime; endTime: HrTime };

/** The types of prom-client declare an enum here, but the value is a string. */
function converterOf(metric: Metric, time: Time): MetricData[] {
  if (metric.values.length === 0) return [];
  const common = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () =>
    metric.values.map(({ labels, value }) => ({ ...time, attributes: attributesOf(labels), value }));
  switch (String(metric.type)) {
    case 'counter':
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
    case 'gauge':
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
    case 'histogram':
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, time) }];
    default:
      // Summaries have no counterpart, and no metric is one.
      return [];
  }
}

/**
 * One point for each combination of labels. Prometheus counts the samples up to each boundary,
 * OpenTelemetry those between two.
 */
function histogramsOf({ name, values }: Metric, time: Time): DataPoint<Histogram>[] {
  const series = new Map<string, { attributes: Attributes; samples: Sample[] }>();
  for (const sample of values as Sample[]) {
    const { le: _, ...labels } = sample.labels as Record<string, string | number>;
    const attributes = attributesOf(labels);
    const key = JSON.stringify(attributes);
    const known = series.get(key) ?? { attributes, samples: [] };
    series.set(key, known);
    known.samples.push(sample);
  }
  return [...series.values()].map(({ attributes, samples }) => {
    const valueOf = (suffix: string) =>
      samples.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
    const count = valueOf('count');
    const upTo = samples
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels, value }) => ({ boundary: Number((labels as { le?: unknown }).le), value }))
      .filter(({ boundary }) => Number.isFinite(boundary))
      .toSorted((one, other) => one.boundary - other.boundary);
    const cumulative = [...upTo.map(({ value }) => value), count];
    const counts = cumulative.map((value, i) => value - (cumulative[i - 1] ?? 0));
    const buckets = { boundaries: upTo.map(({ boundary }) => boundary), counts };
    return { ...time, attributes, value: { buckets, sum: valueOf('sum'), count } };
  });
}

function attributesOf(labels: object): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
