import type { Middleware } from 'koa';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestState } from './request-log.ts';
import { within } from './within.ts';

export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** A figure that a service tells operators, read when it is asked for. */
export interface Figure {
  /** Prometheus' rules: `svc_…`, with the unit; `_total` for counters. */
  name: string;
  help: string;
  kind: 'gauge' | 'counter';
  labels?: readonly string[];
  read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const READ_WITHIN_MS = 2_000;
const OTHER_ROUTES = 'none';

/** What one process tells Prometheus: its requests, its services' figures, and how Node.js does. */
export function createMetrics(figures: readonly Figure[]) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the head of a request to the end of its handling, by row of the route table.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  for (const name of new Set(figures.map((figure) => figure.name))) {
    addFigure(
      name,
      figures.filter((figure) => figure.name === name),
    );
  }

  /** Services that share a process may tell the same figure, each for itself. */
  function addFigure(name: string, alike: readonly Figure[]): void {
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
          // What has no labels is 0 then, which would say that all is well.
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
    /** Times every request that gets an answer. */
    measure(): Middleware<RequestState> {
      return async function measure(ctx, next) {
        const startedAt = performance.now();
        await next();
        const { route = OTHER_ROUTES } = ctx.state;
        // What isn't a method of ours would make as many series as clients can think of.
        const method = route === OTHER_ROUTES ? 'other' : ctx.method;
        durations.observe({ method, route, status: ctx.status }, (performance.now() - startedAt) / 1000);
      };
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** A figure that can't be read in time, because its engine is away, is left out: the others are needed the more. */
async function readOrNothing({ read }: Figure): Promise<readonly Sample[]> {
  try {
    return await within(READ_WITHIN_MS, read());
  } catch {
    return [];
  }
}
