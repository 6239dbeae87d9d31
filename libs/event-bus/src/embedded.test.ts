import { openEmbeddedDatabase, type EmbeddedDatabase } from '@svcforms/document-store/embedded';
import { poll } from '@svcforms/test-kit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventBus } from '../test/conformance.ts';
import { collect, publishAll } from '../test/conformance/context.ts';
import { ACCOUNT, anEvent, someEvents } from '../test/conformance/events.ts';
import { startChild } from '../test/conformance/start-child.ts';
import { createEmbeddedBus } from './embedded.ts';

describe('the embedded event bus', () => {
  jest.setTimeout(60_000);
  let folder: string;
  let file: string;
  let databases: EmbeddedDatabase[] = [];

  function openDatabase(): EmbeddedDatabase {
    const database = openEmbeddedDatabase(file);
    databases.push(database);
    return database;
  }

  const closeDatabases = async () => {
    for (const database of databases) await database.close();
    databases = [];
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svcforms-bus-'));
    file = join(folder, 'test.db');
  });
  afterEach(async () => {
    await closeDatabases();
    rmSync(folder, { recursive: true });
  });

  describeEventBus('keeps the contract', async () => async () => {
    // Reopening the bus simulates a new process, so the file is reopened too.
    await closeDatabases();
    return createEmbeddedBus(openDatabase());
  });

  it('rejects an event as FULL when the disk is full', async () => {
    const noRoom = Object.assign(new Error('no room'), { code: 'DISK_FULL' });
    const database = openDatabase();
    const bus = createEmbeddedBus({
      prepare: (sql) => database.prepare(sql),
      checkFile: () => database.checkFile(),
      exec: (sql) => database.exec(sql),
      write: () => Promise.reject(noRoom),
    });

    await expect(bus.publish(anEvent())).rejects.toMatchObject({ code: 'FULL', cause: noRoom });
  });

  it("doesn't close the database", async () => {
    const database = openDatabase();
    await createEmbeddedBus(database).close();

    expect(database.prepare('SELECT 1 AS one').get()).toMatchObject({ one: 1 });
  });

  it('keeps every event that a killed process has published', async () => {
    const child = await startChild('embedded', file, 'publish');
    await poll(() => child.printed.length > 300, { what: 'events of the child process' });
    await child.kill();

    const inLog = await createEmbeddedBus(openDatabase()).publishedSince(ACCOUNT, new Date(0).toISOString());

    expect([...inLog]).toEqual(expect.arrayContaining([...child.printed]));
  });

  it('redelivers the messages of a killed process', async () => {
    const first = createEmbeddedBus(openDatabase());
    const events = someEvents(3);
    await publishAll(first, events);
    await first.close();
    await closeDatabases();
    const child = await startChild('embedded', file, 'consume', '1000');
    await poll(() => child.printed.length === events.length, { what: 'the messages at the child process' });
    await child.kill();

    const bus = createEmbeddedBus(openDatabase());
    const consumer = await collect(bus, 'child');

    await consumer.has(events);
    await bus.close();
  });
});
