import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDocumentStore } from '../test/conformance.ts';
import { createEmbeddedStore, openEmbeddedDatabase, type EmbeddedDatabase } from './embedded.ts';

describe('the document store on SQLite', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svcforms-store-'));
    database = openEmbeddedDatabase(join(folder, 'store.db'));
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const open = async () => createEmbeddedStore(database, { sweepEveryMs: 100 });

  describeDocumentStore('keeps the contract', async () => ({ store: await open(), another: open }));
});
