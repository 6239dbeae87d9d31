import type { Metric } from './metrics.ts';

/** How long events have been waiting for the bus: what every service with an outbox tells. `collection`: whose events. */
export function outboxAge(collection: string, outbox: { ageSeconds(): Promise<number> }): Metric {
  return {
    name: 'svc_outbox_oldest_seconds',
    help: 'How long ago the oldest event that still waits for the bus was owed; 0 where none does.',
    kind: 'gauge',
    labels: ['collection'],
    read: async () => [{ labels: { collection }, value: await outbox.ageSeconds() }],
  };
}
