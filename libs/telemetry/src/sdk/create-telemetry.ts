import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { waitAtMost } from '@svcforms/primitives';
import { buildInfo, type Settings } from '@svcforms/runtime';
import { randomUUID } from 'node:crypto';
import type { Signal } from '../signals.ts';
import type { Telemetry, TelemetryOptions } from '../telemetry.ts';
import { createOutageLog } from './outage-log.ts';
import { createMetricProducer } from './metric-producer.ts';
import { samplingOf } from './sampling.ts';
import { createTracing } from './tracing.ts';

/** Short beside the time that a process has to stop. A collector that hangs must not exhaust it. */
const CLOSE_WITHIN_MS = 3_000;
const MAX_BATCH = 512;

/** The part of telemetry that loads the SDK of OpenTelemetry. */
export function createTelemetry(
  settings: Settings,
  { traces, metrics }: { traces: Signal | undefined; metrics: Signal | undefined },
  { name, busSystem, log }: TelemetryOptions,
): Telemetry {
  const outages = createOutageLog(log);
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.instance.id': randomUUID(),
      'service.version': buildInfo.version,
      'service.name': name,
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      ...(settings.OTEL_SERVICE_NAME && { 'service.name': settings.OTEL_SERVICE_NAME }),
    }),
  );
  const maxQueueSize = settings.OTEL_BSP_MAX_QUEUE_SIZE;
  const spans =
    traces &&
    new BatchSpanProcessor({
      exporter: outages.watch('traces', traces.url, spanExporter(traces)),
      scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
      maxQueueSize,
      maxExportBatchSize: Math.min(MAX_BATCH, maxQueueSize),
    });
  let meters: MeterProvider | undefined;

  return {
    tracing:
      spans &&
      createTracing({
        isSampled: samplingOf(settings),
        origin: {
          resource,
          instrumentationScope: { name: 'svcforms', version: buildInfo.version },
          busSystem,
          onEnd: (span) => spans.onEnd(span),
        },
        sendsHeaders: settings.OTEL_PROPAGATORS.includes('tracecontext'),
      }),
    exportMetrics(source) {
      if (!metrics) return;
      const interval = settings.OTEL_METRIC_EXPORT_INTERVAL;
      meters = new MeterProvider({
        resource,
        readers: [
          new PeriodicExportingMetricReader({
            exporter: outages.watch('metrics', metrics.url, metricExporter(metrics)),
            exportIntervalMillis: interval,
            exportTimeoutMillis: Math.min(settings.OTEL_EXPORTER_OTLP_TIMEOUT, interval),
            metricProducers: [createMetricProducer(source)],
          }),
        ],
      });
    },
    async close() {
      // A failed export was reported by then; the process stops either way.
      await waitAtMost(Promise.allSettled([spans?.shutdown(), meters?.shutdown()]), CLOSE_WITHIN_MS);
    },
  };
}

// What these options leave out, such as certificates, the exporters read from the environment.

function spanExporter({ protocol, url, headers }: Signal): SpanExporter {
  const Exporter = protocol === 'http/json' ? JsonTraceExporter : ProtobufTraceExporter;
  return new Exporter({ url, headers });
}

function metricExporter({ protocol, url, headers }: Signal): PushMetricExporter {
  const Exporter = protocol === 'http/json' ? JsonMetricExporter : ProtobufMetricExporter;
  return new Exporter({ url, headers });
}
