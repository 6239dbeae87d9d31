import { createEmbeddedStore, openEmbeddedDatabase } from '../../src/embedded.ts';
import { connectMongoStore } from '../../src/mongo.ts';
import type { DocumentStore } from '../../src/port/port.ts';
import { WRITTEN, type Written } from './written.ts';

/**
 * A process that writes until it is killed. `startWriter` starts it. Arguments: `embedded` and a
 * file, or `mongo` and a URL. Prints `inserted <id>` and `updated <id>` for each acknowledged
 * write, or `refused <code>` if it can't open the store.
 */
const [adapter, address = ''] = process.argv.slice(2);

async function openStore(): Promise<DocumentStore> {
  return adapter === 'mongo'
    ? connectMongoStore({ url: address })
    : // Frequent checkpoints, so that some kills interrupt one.
      createEmbeddedStore(openEmbeddedDatabase(address, { checkpointPages: 50 }));
}

async function writeForever(store: DocumentStore): Promise<never> {
  const collection = store.collection<Written>(WRITTEN);
  for (;;) {
    const _id = crypto.randomUUID();
    await collection.insertOne({ _id, data: 'x'.repeat(500) });
    process.stdout.write(`inserted ${_id}\n`);
    await collection.updateOne({ _id }, { $set: { updated: true } });
    process.stdout.write(`updated ${_id}\n`);
  }
}

async function main(): Promise<void> {
  try {
    const store = await openStore();
    await Promise.all(Array.from({ length: 20 }, () => writeForever(store)));
  } catch (error) {
    process.stdout.write(`refused ${(error as { code: string }).code}\n`);
  }
}

void main();
