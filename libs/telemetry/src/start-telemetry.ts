import { SettingsError, type Settings } from '@svcforms/runtime';
import { readFileSync } from 'node:fs';
import { signalsOf } from './signals.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/**
 * Starts to record traces and send them with the metrics of the process to the collector that the
 * `OTEL_*` settings name. Without one, returns `undefined` and loads nothing. docs/adr/0054
 * @throws SettingsError for a file that can't be read
 */
export async function startTelemetry(
  settings: Settings,
  options: TelemetryOptions,
): Promise<Telemetry | undefined> {
  const signals = signalsOf(settings);
  if (!signals.traces && !signals.metrics) return undefined;
  checkFiles(settings);
  const { createTelemetry } = await import('./sdk/create-telemetry.ts');
  return createTelemetry(settings, signals, options);
}

/**
 * The exporters ignore a file that they can't read, and then fail to connect without naming the
 * cause.
 */
function checkFiles(settings: Settings): void {
  for (const kind of ['CERTIFICATE', 'CLIENT_KEY', 'CLIENT_CERTIFICATE'] as const) {
    for (const signal of ['', 'TRACES_', 'METRICS_'] as const) {
      const name = `OTEL_EXPORTER_OTLP_${signal}${kind}` as const;
      const path = settings[name];
      try {
        if (path !== undefined) readFileSync(path);
      } catch (error) {
        throw new SettingsError(`${name} ${path} can't be read: ${(error as Error).message}`);
      }
    }
  }
}
