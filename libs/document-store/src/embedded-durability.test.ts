import { describeWith, poll, tempFolder } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeKills } from '../test/conformance/kills.ts';
import { startWriter } from '../test/conformance/start-writer.ts';
import { createEmbeddedStore, openEmbeddedDatabase } from './embedded.ts';
import type { DocumentStore, StoredDocument } from './port/port.ts';

function openStore(file: string): { store: DocumentStore; close: () => Promise<void> } {
  const database = openEmbeddedDatabase(file);
  const store = createEmbeddedStore(database);
  return {
    store,
    async close() {
      await store.close();
      await database.close();
    },
  };
}

describe('the document store on SQLite', () => {
  describeKills('embedded', async () => {
    const address = join(tempFolder(), 'store.db');
    return { address, open: async () => openStore(address) };
  });

  it('can be opened by one process at a time', async () => {
    const file = join(tempFolder(), 'store.db');
    const owner = await startWriter('embedded', file);
    await poll(() => owner.printed.length > 0, { timeoutMs: 60_000, what: 'the first write' });
    const inUse = {
      code: 'UNAVAILABLE',
      message: `${file} is in use by another process; only one may own it`,
    };
    expect(() => openEmbeddedDatabase(file)).toThrow(expect.objectContaining(inUse));
    await owner.kill();

    const { close } = openStore(file);
    const second = await startWriter('embedded', file);
    await poll(() => second.printed.length > 0, { timeoutMs: 60_000, what: 'the refusal' });
    expect(second.printed).toEqual(['refused UNAVAILABLE']);
    await second.kill();
    await close();
  }, 120_000);
});

describeWith(['root'], 'the document store on SQLite where the disk is full', () => {
  interface Page extends StoredDocument {
    text: string;
  }
  const PAGES = { name: 'pages', indexes: [{ keys: ['text'] }] };
  const page = (_id: string): Page => ({ _id, text: _id.padEnd(2_000, '.') });

  let disk: string;
  beforeAll(() => {
    disk = tempFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'svcforms-test', disk]);
  });
  // A lazy unmount, because SQLite's files stay open until prepared statements are
  // garbage-collected.
  afterAll(() => execFileSync('umount', ['--lazy', disk]));

  it('refuses writes with DISK_FULL, keeps its data, and writes again when there is room', async () => {
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1024 ** 2));
    const file = join(disk, 'store.db');
    let { store, close } = openStore(file);
    let pages = store.collection<Page>(PAGES);
    await store.ensureIndexes();

    const stored: string[] = [];
    const refusals: unknown[] = [];
    for (let group = 0; refusals.length === 0; group++) {
      const ids = Array.from({ length: 20 }, (_, i) => `${group}-${i}`);
      const outcomes = await Promise.allSettled(ids.map((id) => pages.insertOne(page(id))));
      stored.push(...ids.filter((_, i) => outcomes[i]?.status === 'fulfilled'));
      refusals.push(
        ...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
      );
    }
    expect(refusals).toEqual(
      refusals.map(() => expect.objectContaining({ name: 'StoreError', code: 'DISK_FULL' })),
    );
    expect(stored.length).toBeGreaterThan(100);
    expect((await pages.find({})).map(({ _id }) => _id).sort()).toEqual(stored.toSorted());
    await expect(pages.updateMany({}, { $set: { text: 'x'.repeat(3_000) } })).rejects.toMatchObject({
      code: 'DISK_FULL',
    });

    rmSync(ballast);
    await pages.insertOne(page('after'));
    expect(await pages.updateOne({ _id: 'after' }, { $set: { text: 'changed' } })).toBe(true);
    await close();

    ({ store, close } = openStore(file));
    pages = store.collection<Page>(PAGES);
    expect(await pages.find({ _id: 'after' })).toEqual([{ _id: 'after', text: 'changed' }]);
    expect((await pages.find({})).map(({ _id }) => _id).sort()).toEqual([...stored, 'after'].sort());
    await close();
  });

  it("can't be opened, with one clear error", () => {
    writeFileSync(join(disk, 'rest'), '');
    expect(() => {
      for (let i = 0; ; i++) writeFileSync(join(disk, `rest${i}`), Buffer.alloc(4_096));
    }).toThrow('ENOSPC');
    expect(() => openEmbeddedDatabase(join(disk, 'another.db'))).toThrow(
      expect.objectContaining({ name: 'StoreError', code: 'DISK_FULL' }),
    );
  });
});
