import { poll, tempFolder } from '@svcforms/test-kit';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './database.ts';

describe('an embedded database', () => {
  let file: string;
  let database: EmbeddedDatabase;

  beforeEach(() => {
    file = join(tempFolder(), 'test.db');
    database = openEmbeddedDatabase(file);
    database.exec('CREATE TABLE entries (key TEXT PRIMARY KEY, n INTEGER)');
  });
  afterEach(() => database.close());

  const insert = (key: string, n = 0) =>
    database.prepare('INSERT INTO entries VALUES (?, ?)').run(key, n).changes;
  const keys = () =>
    database
      .prepare('SELECT key FROM entries ORDER BY key')
      .all()
      .map(({ key }) => key);

  it('resolves each write with the result of its work', async () => {
    const values = await Promise.all(
      ['a', 'b', 'c'].map((key) => database.write(() => `${key}${insert(key)}`)),
    );
    expect(values).toEqual(['a1', 'b1', 'c1']);
    expect(keys()).toEqual(['a', 'b', 'c']);
  });

  it('runs concurrent writes in order, in one transaction', async () => {
    const seen: unknown[] = [];
    const note = () => seen.push(database.prepare('SELECT count(*) AS n FROM entries').get()?.['n']);
    const writes = ['a', 'b', 'c'].map((key) =>
      database.write(() => {
        insert(key);
        note();
      }),
    );
    expect(keys()).toEqual([]);
    await Promise.all(writes);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('commits the writes of several turns of the event loop together', async () => {
    /** Whether the next turn added a write before the first one was committed. */
    const comesInTime = async (round: number) => {
      let isDurable = false;
      const first = database.write(() => insert(`a${round}`)).then(() => (isDurable = true));
      await new Promise(setImmediate);
      const inTime = !isDurable;
      await Promise.all([first, database.write(() => insert(`b${round}`))]);
      return inTime;
    };
    // On a busy machine, a turn may take longer than a batch stays open.
    const rounds = Array.from({ length: 50 }, (_, round) => round);
    const outcomes: boolean[] = [];
    for (const round of rounds) outcomes.push(await comesInTime(round));
    expect(outcomes).toContain(true);
    expect(keys()).toHaveLength(100);
  });

  it("doesn't wait for the end of a stream of writes", async () => {
    let isOver = false;
    const stream = (async () => {
      for (let i = 0; !isOver; i++) {
        void database.write(() => insert(`s${i}`));
        await new Promise(setImmediate);
      }
    })();
    await database.write(() => insert('a'));
    isOver = true;
    await stream;
    expect(keys()).toContain('a');
  });

  it('rejects only the write whose statement is refused', async () => {
    const outcomes = await Promise.allSettled(
      ['a', 'a', 'b'].map((key) => database.write(() => insert(key))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { name: 'StoreError', code: 'DUPLICATE_KEY' } });
    expect(keys()).toEqual(['a', 'b']);
  });

  it('undoes all changes of work that throws, and none of other work', async () => {
    const outcomes = await Promise.allSettled([
      database.write(() => insert('before')),
      database.write(() => {
        insert('half');
        database.prepare('UPDATE entries SET n = 9').run();
        throw new Error('changed my mind');
      }),
      database.write(() => insert('between')),
      database.write(() => {
        insert('other half');
        insert('before');
      }),
      database.write(() => insert('after')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(outcomes[1]).toMatchObject({ reason: { message: 'changed my mind' } });
    expect(outcomes[3]).toMatchObject({ reason: { code: 'DUPLICATE_KEY' } });
    expect(database.prepare('SELECT * FROM entries ORDER BY key').all()).toEqual([
      { key: 'after', n: 0 },
      { key: 'before', n: 0 },
      { key: 'between', n: 0 },
    ]);
  });

  it('commits large groups in parts without a loss', async () => {
    const all = Array.from({ length: 5_000 }, (_, i) => String(i));
    await Promise.all(all.map((key) => database.write(() => insert(key))));
    expect(keys()).toEqual(all.toSorted());
  });

  it('stores accepted writes on close, and refuses later ones', async () => {
    const writes = ['a', 'b'].map((key) => database.write(() => insert(key)));
    await database.close();
    await Promise.all(writes);
    const closed = { code: 'UNAVAILABLE', message: `${file} is closed` };
    await expect(database.write(() => insert('c'))).rejects.toMatchObject(closed);
    expect(() => database.prepare('SELECT 1')).toThrow(expect.objectContaining(closed));
    expect(() => database.exec('SELECT 1')).toThrow(expect.objectContaining(closed));

    database = openEmbeddedDatabase(file);
    expect(keys()).toEqual(['a', 'b']);
  });

  it('caches some hundreds of prepared statements, which all work', () => {
    const statements = Array.from({ length: 2_000 }, (_, i) => database.prepare(`SELECT ${i} AS n`));
    expect(statements.map((statement) => statement.get()?.['n'])).toEqual(statements.map((_, i) => i));
    const kept = database.prepare('SELECT 1999 AS n');
    expect(kept).toBe(statements[1_999]);
    expect(database.prepare('SELECT 0 AS n')).not.toBe(statements[0]);
  });

  it.each([undefined, true, false])('refuses to bind %s', async (value) => {
    const statement = database.prepare('SELECT ? AS v');
    expect(() => statement.get(value as never)).toThrow(TypeError);
    expect(statement.get(null)).toMatchObject({ v: null });
  });

  it('refuses to run a statement that returns rows', async () => {
    const returning = database.prepare('INSERT INTO entries VALUES (?, ?) RETURNING key');
    await expect(database.write(() => returning.run('a', 1))).rejects.toThrow(TypeError);
    expect(await database.write(() => returning.all('b', 1))).toEqual([{ key: 'b' }]);
    expect(await database.write(() => returning.get('c', 1))).toMatchObject({ key: 'c' });
    expect(() => database.prepare('DELETE FROM entries').all()).toThrow(TypeError);
    expect(keys()).toEqual(['b', 'c']);
  });

  it('binds new parameters on each call, however the rows are read', () => {
    const statement = database.prepare('SELECT ? AS v UNION ALL SELECT 99');
    const methods = ['all', 'all', 'get', 'get', 'all', 'get', 'all'] as const;
    const read = methods.map((method, i) => [statement[method](i)].flat()[0]?.['v']);
    expect(read).toEqual(methods.map((_, i) => i));
  });

  describe('on a slow disk', () => {
    /** The pending syncs of the device. */
    let asked: { done: () => void; fail: (error: Error) => void }[];
    let slow: EmbeddedDatabase;
    let path: string;

    beforeEach(() => {
      asked = [];
      path = join(tempFolder(), 'slow.db');
      const sync = () => new Promise<void>((done, fail) => asked.push({ done, fail }));
      slow = openEmbeddedDatabase(path, { sync });
      slow.exec('CREATE TABLE entries (key TEXT PRIMARY KEY)');
    });
    /** Ends the pending syncs and makes the device fast. */
    async function close(): Promise<void> {
      let isClosed = false;
      const closing = slow.close().then(() => (isClosed = true));
      await poll(
        () => {
          for (const { done } of asked.splice(0)) done();
          return isClosed;
        },
        { what: 'the database to close' },
      );
      await closing;
    }
    afterEach(close);

    const add = (key: string) => slow.write(() => slow.prepare('INSERT INTO entries VALUES (?)').run(key));
    const count = () => Number(slow.prepare('SELECT count(*) AS n FROM entries').get()?.['n']);
    const isAsked = () => poll(() => asked.length > 0, { what: 'the device to be asked' });

    it('resolves a write only when the device has it, and then continues with the next ones', async () => {
      const resolved: string[] = [];
      const first = add('first').then(() => resolved.push('first'));
      await isAsked();
      const [second, third] = ['second', 'third'].map((key) => add(key).then(() => resolved.push(key)));
      const reading = slow.durable()?.then(() => resolved.push('reader'));
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      expect({ resolved, asked: asked.length, written: count() }).toEqual({
        resolved: [],
        asked: 1,
        written: 1,
      });

      asked.shift()?.done();
      await Promise.all([first, reading]);
      await isAsked();
      expect({ resolved: resolved.toSorted(), asked: asked.length, written: count() }).toEqual({
        resolved: ['first', 'reader'],
        asked: 1,
        written: 3,
      });
      asked.shift()?.done();
      await Promise.all([second, third]);
      expect(slow.durable()).toBeUndefined();
    });

    it('refuses everything after the device fails', async () => {
      const during = add('during');
      await isAsked();
      const [later, reading] = [add('later'), slow.durable()];
      asked.shift()?.fail(new Error('EIO: i/o error, fdatasync'));
      const refused = {
        status: 'rejected',
        reason: { code: 'UNAVAILABLE', message: expect.stringContaining('EIO') as string },
      };
      const outcomes = await Promise.allSettled([during, later, reading, add('after'), slow.durable()]);
      expect(outcomes).toMatchObject(Array(5).fill(refused));
      expect(asked).toEqual([]);
      expect(() => slow.exec('SELECT 1')).toThrow('EIO');
    });

    it('stores accepted writes if it is closed meanwhile', async () => {
      const written = add('first');
      await isAsked();
      const queued = add('second');
      await new Promise(setImmediate);
      const accepted = [written, queued, add('third')];
      await close();
      await Promise.all(accepted);
      const reopened = openEmbeddedDatabase(path);
      const rows = reopened.prepare('SELECT key FROM entries ORDER BY key').all();
      await reopened.close();
      expect(rows).toEqual([{ key: 'first' }, { key: 'second' }, { key: 'third' }]);
    });
  });

  it('refuses writes, and still reads, after its files are deleted', async () => {
    const folder = tempFolder();
    const deleted = openEmbeddedDatabase(join(folder, 'deleted.db'));
    deleted.exec('CREATE TABLE entries (key TEXT)');
    const add = (key: string) =>
      deleted.write(() => deleted.prepare('INSERT INTO entries VALUES (?)').run(key));
    await add('before');
    deleted.checkFile();
    rmSync(folder, { recursive: true });
    const refused = { code: 'UNAVAILABLE', message: expect.stringContaining('was deleted') as string };
    await expect(add('after')).rejects.toMatchObject(refused);
    expect(() => deleted.checkFile()).toThrow(expect.objectContaining(refused));
    expect(deleted.prepare('SELECT key FROM entries').all()).toEqual([{ key: 'before' }]);
    await deleted.close();
  });

  describe('with a short log', () => {
    const PAGES = 100;
    const PAGE_BYTES = 4096 + 24;
    let path: string;
    let short: EmbeddedDatabase;

    beforeEach(() => {
      path = join(tempFolder(), 'short.db');
      short = openEmbeddedDatabase(path, { checkpointPages: PAGES });
      short.exec('CREATE TABLE entries (n INTEGER PRIMARY KEY, text TEXT)');
    });
    afterEach(() => short.close());

    let next = 0;
    /** Each takes at least one page of the log. */
    const add = () =>
      short.write(() => short.prepare('INSERT INTO entries VALUES (?, ?)').run(next++, 'x'.repeat(3_000)));
    const addAll = async (count: number) => {
      for (let i = 0; i < count; i += 10) await Promise.all(Array.from({ length: 10 }, add));
    };
    const count = () => Number(short.prepare('SELECT count(*) AS n FROM entries').get()?.['n']);
    const logBytes = () => statSync(`${path}-wal`).size;

    it('keeps the log short while it writes without a pause', async () => {
      await addAll(50 * PAGES);
      expect(logBytes()).toBeGreaterThan(PAGES * PAGE_BYTES);
      expect(logBytes()).toBeLessThan(20 * PAGES * PAGE_BYTES);
      expect(statSync(path).size).toBeGreaterThan(20 * PAGES * PAGE_BYTES);
      expect(count()).toBe(50 * PAGES);
    });

    it('empties the log while it writes', async () => {
      const sizes: number[] = [];
      let isOver = false;
      const writing = (async () => {
        while (!isOver) await add();
      })();
      for (let i = 0; i < 30; i++) {
        await short.foldLog();
        sizes.push(logBytes());
        await add();
      }
      isOver = true;
      await writing;
      expect(sizes).toEqual(Array(30).fill(0));
      expect(count()).toBeGreaterThan(30);
    });

    it('writes while another connection reads, and shortens the log afterwards', async () => {
      const reader = openEmbeddedDatabase(path, { shared: true });
      reader.exec('BEGIN');
      const before = reader.prepare('SELECT count(*) AS n FROM entries').all();
      await addAll(10 * PAGES);
      await short.foldLog();
      const most = logBytes();
      expect(most).toBeGreaterThan(10 * PAGES * PAGE_BYTES);
      expect(reader.prepare('SELECT count(*) AS n FROM entries').all()).toMatchObject([
        { n: before[0]?.['n'] },
      ]);
      reader.exec('COMMIT');
      await reader.close();

      await addAll(20 * PAGES);
      expect(logBytes()).toBeLessThan(most);
      await short.foldLog();
      expect(logBytes()).toBe(0);
      expect(count()).toBe(30 * PAGES);
    });
  });

  it('is readable only by its owner, even if an older version created it', async () => {
    const path = join(tempFolder(), 'svcforms.db');
    const modes = () =>
      ['', '-wal', '-shm', '.lock'].map((ending) => (statSync(path + ending).mode & 0o777).toString(8));
    const before = process.umask(0);
    try {
      const first = openEmbeddedDatabase(path);
      first.exec('CREATE TABLE t (x)');
      expect(modes()).toEqual(['600', '600', '600', '600']);
      await first.close();
      for (const ending of ['', '.lock']) chmodSync(path + ending, 0o644);
      const again = openEmbeddedDatabase(path);
      expect(modes()).toEqual(['600', '600', '600', '600']);
      await again.close();
    } finally {
      process.umask(before);
    }
  });

  it('can be opened by one process', async () => {
    const inUse = { name: 'StoreError', code: 'UNAVAILABLE' };
    expect(() => openEmbeddedDatabase(file)).toThrow(expect.objectContaining(inUse));
    expect(await database.write(() => insert('still works'))).toBe(1);
  });

  it("names the reason in one line if a file can't be opened", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'a-folder'));
    writeFileSync(join(folder, 'a-letter.txt'), 'Dear reader, this is no database at all. '.repeat(100));
    for (const name of ['nowhere/test.db', 'a-folder', 'a-letter.txt']) {
      expect(() => openEmbeddedDatabase(join(folder, name))).toThrow(
        expect.objectContaining({
          name: 'StoreError',
          code: 'UNAVAILABLE',
          message: expect.stringMatching(new RegExp(`^${join(folder, name)}.*$`)) as string,
        }),
      );
    }
  });
});
