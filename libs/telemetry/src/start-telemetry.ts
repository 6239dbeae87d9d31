import type { Settings } from '@svcforms/runtime';
import { signalsOf } from './signals.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/**
 * Starts to record traces and send them with the metrics of the process to the collector that the
 * `OTEL_*` settings name. Without one, returns `undefined` and loads nothing. docs/adr/0054
 */
export async function startTelemetry(
  settings: Settings,
  options: TelemetryOptions,
): Promise<Telemetry | undefined> {
  const signals = signalsOf(settings);
  if (!signals.traces && !signals.metrics) return undefined;
  const { createTelemetry } = await import('./sdk/create-telemetry.ts');
  return createTelemetry(settings, signals, options);
}
