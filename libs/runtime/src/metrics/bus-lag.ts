import type { Metric } from './metrics.ts';

/** How far behind consumers of the event log are, by their durable names. */
export function busLag(
  bus: { lag(durable: string): Promise<number> },
  durables: Readonly<Record<string, string>>,
): Metric {
  return {
    name: 'svc_bus_lag_events',
    help: 'Events in the log that are not acknowledged yet.',
    kind: 'gauge',
    labels: ['durable'],
    read: () =>
      Promise.all(
        Object.values(durables).map(async (durable) => ({
          labels: { durable },
          value: await bus.lag(durable),
        })),
      ),
  };
}
