import { atEnd, tempFolder } from '@svcforms/test-kit';
import { join } from 'node:path';
import { createEmbeddedStore, openEmbeddedDatabase, type EmbeddedDatabase } from '../src/embedded.ts';
import type { SqlValue } from '../src/embedded/database.ts';
import type { Collection, CollectionSpec, StoredDocument } from '../src/port/port.ts';

/**
 * Opens a collection on SQLite. `plans` returns how the database finds the rows of the statements
 * that ran since the last call.
 */
export async function explainCollection<T extends StoredDocument>(
  spec: CollectionSpec<T>,
): Promise<{ collection: Collection<T>; plans: () => string[] }> {
  let executed: { sql: string; params: SqlValue[] }[] = [];
  const database = openDatabase();
  const recording: EmbeddedDatabase = {
    prepare(sql) {
      const statement = database.prepare(sql);
      const noted = (params: SqlValue[]) => {
        executed.push({ sql, params });
        return params;
      };
      return {
        run: (...params) => statement.run(...noted(params)),
        get: (...params) => statement.get(...noted(params)),
        all: (...params) => statement.all(...noted(params)),
      };
    },
    exec: (sql) => database.exec(sql),
    write: (work) => database.write(work),
    durable: () => database.durable(),
    checkFile: () => database.checkFile(),
    foldLog: () => database.foldLog(),
    close: () => database.close(),
  };
  const collection = await openOn(recording, spec);
  // Explains the statements that the other database executes.
  const twin = openDatabase();
  await openOn(twin, spec);

  const names = new RegExp(`doc_${spec.name} USING (COVERING )?INDEX (doc_${spec.name} )?`);
  return {
    collection,
    plans() {
      const statements = executed;
      executed = [];
      return statements
        .flatMap(({ sql, params }) => twin.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params))
        .map(({ detail }) => String(detail).replace(names, ''))
        .filter((step) => !/^LIST SUBQUERY|^SCAN json_each|^CO-ROUTINE|^SCAN \(subquery/.test(step));
    },
  };
}

async function openOn<T extends StoredDocument>(
  database: EmbeddedDatabase,
  spec: CollectionSpec<T>,
): Promise<Collection<T>> {
  const store = createEmbeddedStore(database);
  const collection = store.collection(spec);
  await store.ensureIndexes();
  return collection;
}

function openDatabase(): EmbeddedDatabase {
  const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
  atEnd(() => database.close());
  return database;
}
