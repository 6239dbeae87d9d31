import { openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { createEmbeddedBus } from '../../src/embedded.ts';
import { connectNatsBus } from '../../src/nats.ts';
import type { EventBus } from '../../src/port/port.ts';
import { anEvent } from './events.ts';

/**
 * A process that a test kills while it works. `startChild` starts it. Arguments: `nats` and a URL,
 * or `embedded` and a file; then `publish` (publishes concurrently and prints the id of each stored
 * event) or `consume` (prints the ids that its handler gets; the handler never ends).
 */
const [adapter, address = '', role, ackWaitMs] = process.argv.slice(2);

async function openBus(): Promise<EventBus> {
  if (adapter === 'nats') return connectNatsBus({ url: address, name: 'child' });
  return createEmbeddedBus(openEmbeddedDatabase(address));
}

const print = (id: string) => process.stdout.write(`${id}\n`);

async function publishForever(bus: EventBus): Promise<never> {
  for (;;) {
    const event = anEvent();
    await bus.publish(event);
    print(event.id);
  }
}

async function main(): Promise<void> {
  const bus = await openBus();
  if (role === 'publish') {
    await Promise.all(Array.from({ length: 20 }, () => publishForever(bus)));
  } else {
    // Keeps the process alive until it is killed.
    setInterval(() => {}, 60_000);
    await bus.consume('child', { batch: 10, ackWaitMs: Number(ackWaitMs) }, async (batch) => {
      for (const { event } of batch) print(event.id);
      await new Promise(() => {});
    });
  }
}

void main();
