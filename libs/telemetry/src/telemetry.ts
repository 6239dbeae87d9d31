import type { Logger, Tracing } from '@svcforms/primitives';
import type { Metrics } from '@svcforms/runtime';

/** What a process sends to an OpenTelemetry collector. */
export interface Telemetry {
  /** Absent when traces are off. */
  tracing: Tracing | undefined;
  /** Sends these metrics from now on, unless metrics are off. */
  exportMetrics(metrics: Pick<Metrics, 'collect'>): void;
  /** Sends what is left, for a few seconds at most; nothing is sent after that. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  /** The name of the service unless `OTEL_SERVICE_NAME` is set. */
  name: string;
  /** What carries events between processes. */
  busSystem: string;
  log: Pick<Logger, 'info' | 'warn'>;
}
