import { openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { createEmbeddedBus } from '../../src/embedded.ts';
import { connectNatsBus } from '../../src/nats.ts';
import type { EventBus } from '../../src/port.ts';
import { anEvent } from './events.ts';

/**
 * A process that is killed in the middle of its work; started by `startChild`.
 * Arguments: `nats` and an address, or `embedded` and a file; then `publish` (many at a time; prints the id of each
 * event when its publish has resolved) or `consume` (prints the ids that a handler got which never ends).
 */
const [adapter, place = '', role, ackWaitMs] = process.argv.slice(2);

async function openBus(): Promise<EventBus> {
  if (adapter === 'nats') return connectNatsBus({ url: place, name: 'child' });
  return createEmbeddedBus(openEmbeddedDatabase(place));
}

const print = (id: string) => process.stdout.write(`${id}\n`);

async function publishForEver(bus: EventBus): Promise<never> {
  for (;;) {
    const event = anEvent();
    await bus.publish(event);
    print(event.id);
  }
}

async function main(): Promise<void> {
  const bus = await openBus();
  if (role === 'publish') {
    await Promise.all(Array.from({ length: 20 }, () => publishForEver(bus)));
  } else {
    // Stays until it is killed, whatever else it waits for.
    setInterval(() => {}, 60_000);
    await bus.consume('child', { batch: 10, ackWaitMs: Number(ackWaitMs) }, async (batch) => {
      for (const { event } of batch) print(event.id);
      await new Promise(() => {});
    });
  }
}

void main();
