import type { BusEvent } from '@svcforms/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventBus } from '../../src/port/port.ts';
import { anEvent } from './events.ts';

/**
 * Publishes continuously until it is stopped, and drops events whose publish rejects because of an
 * outage.
 */
export function publishSteadily(bus: EventBus): { stored: BusEvent[]; stop(): Promise<void> } {
  const stored: BusEvent[] = [];
  let stopped = false;
  async function publisher(): Promise<void> {
    while (!stopped) {
      const event = anEvent();
      try {
        await bus.publish(event);
        stored.push(event);
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNAVAILABLE' });
        await delay(20);
      }
    }
  }
  const publishers = Promise.all(Array.from({ length: 10 }, publisher));
  return {
    stored,
    async stop() {
      stopped = true;
      await publishers;
    },
  };
}
