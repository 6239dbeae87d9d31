import type { Metric } from './metrics.ts';

/**
 * The age of an outbox, a metric of every service that has one. `collection`: the collection whose
 * documents have pending events.
 */
export function outboxAge(collection: string, outbox: { ageSeconds(): Promise<number> }): Metric {
  return {
    name: 'svc_outbox_oldest_seconds',
    help: 'Age of the oldest event that is not on the bus yet; 0 without one.',
    kind: 'gauge',
    labels: ['collection'],
    read: async () => [{ labels: { collection }, value: await outbox.ageSeconds() }],
  };
}
