import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '@svcforms/primitives';
import { buildInfo, type BuildInfo } from '../build/build-info.ts';

interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

interface ObservedRequest {
  method: string;
  /** The path of its row in the route table. */
  route: string;
  status: number;
  seconds: number;
}

/** A metric of a service, read at each scrape. */
export interface Metric {
  /** Prometheus' rules: `svc_…`, with the unit; `_total` for counters. */
  name: string;
  help: string;
  kind: 'gauge' | 'counter';
  labels?: readonly string[];
  read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const READ_WITHIN_MS = 2_000;

/**
 * The metrics of one process in Prometheus' text format: its requests, its services' metrics, its
 * build, and those of Node.js.
 */
export function createMetrics(metrics: readonly Metric[], build: BuildInfo = buildInfo) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its handling, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  new Gauge({
    name: 'svc_build_info',
    help: 'The version and the commit of this process; always 1.',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ ...build }, 1);
  for (const name of new Set(metrics.map((metric) => metric.name))) {
    addMetric(
      name,
      metrics.filter((metric) => metric.name === name),
    );
  }

  /** Services that share a process may report the same metric, each its own samples. */
  function addMetric(name: string, alike: readonly Metric[]): void {
    const [first] = alike;
    if (!first) return;
    const labelNames = [...(first.labels ?? [])];
    const read = async () => (await Promise.all(alike.map(readOrNothing))).flat();
    const common = { name, help: first.help, labelNames, registers };
    if (first.kind === 'gauge') {
      new Gauge({
        ...common,
        async collect() {
          const samples = await read();
          this.reset();
          // A gauge without labels would otherwise be 0, which would look healthy.
          if (labelNames.length === 0) this.remove();
          for (const { labels = {}, value } of samples) this.set(labels, value);
        },
      });
    } else {
      new Counter({
        ...common,
        async collect() {
          const samples = await read();
          this.reset();
          for (const { labels = {}, value } of samples) this.inc(labels, value);
        },
      });
    }
  }

  return {
    type: registry.contentType,
    text: () => registry.metrics(),
    /** The same metrics as objects. */
    collect: () => registry.getMetricsAsJSON(),
    /** Adds a finished request to the histogram of durations. */
    observeRequest({ seconds, ...labels }: ObservedRequest): void {
      durations.observe(labels, seconds);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Omits a metric that can't be read in time because its backend is down, so that the others stay
 * readable.
 */
async function readOrNothing({ read }: Metric): Promise<readonly Sample[]> {
  try {
    return await withTimeout(read(), READ_WITHIN_MS);
  } catch {
    return [];
  }
}
