import { chunksOf } from '@svcforms/primitives';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreError } from '../port/errors.ts';
import { checkDocument } from '../language/document.ts';
import { parseFilter, parseQuery, type Condition } from '../language/filter.ts';
import type { SortKey } from '../language/path.ts';
import { parseSortKeys, unsupported } from '../language/path.ts';
import { sparsePaths } from '../language/sparse.ts';
import { parseUpdate, parseUpsert, type Change } from '../language/update.ts';
import type {
  Collection,
  CollectionSpec,
  Filter,
  FindOptions,
  IndexSpec,
  InsertManyResult,
  SortKeys,
  StoredDocument,
  Update,
  UpdateOperation,
} from '../port/port.ts';
import { applyChange, documentFrom } from './apply-change.ts';
import { compileChange } from './compile-change.ts';
import { compileFilter, type Sql } from './compile-filter.ts';
import type { EmbeddedDatabase, Row } from './database.ts';
import { orderSql, typeSql, valueSql } from './field-sql.ts';
import { after, scanOf, unsortedScanOf, upTo, within, without, type Index, type Scan } from './scan.ts';
import { createTableSql, indexesOf, tableOf } from './schema.ts';

/** The most documents that one write changes, so that a large change doesn't block other writes. */
const BATCH = 200;
/**
 * The most documents that `deleteMany` searches before it deletes them: each search may read many
 * others.
 */
const DELETED_AT_ONCE = 5_000;
/**
 * The most rows of an index that a query reads before other work runs, except rows with the same
 * first sort key. Few documents may meet the conditions that no index evaluates.
 */
const PART = 2_000;
/** The rows of the first part, for each wanted document: usually there are enough. */
const FIRST_PART = 4;
const MAX_DOCUMENT_LENGTH = 16 * 1024 ** 2;

interface Selection {
  condition: Condition;
  sort?: readonly SortKey[];
  limit?: number;
  rowid?: number;
}

interface Operation {
  condition: Condition;
  change: Change;
  upsert: boolean;
}

/** `before` is JSON, or `null` for an inserted document. */
interface Changed<T> {
  before: string | null;
  after: T;
}

/**
 * A collection as a table with one row per document. Reads return durable data; writes share
 * commits.
 */
export class EmbeddedCollection<T extends StoredDocument> implements Collection<T> {
  private readonly table: string;
  private readonly sparse: ReadonlySet<string>;
  private readonly indexes: readonly Index[];
  private hasTable = false;

  constructor(
    private readonly database: EmbeddedDatabase,
    readonly spec: CollectionSpec,
    /** Throws when the store is closed. */
    private readonly assertOpen: () => void,
  ) {
    this.table = tableOf(spec);
    this.sparse = sparsePaths(indexesOf(spec));
    this.indexes = [{ keys: ['_id'] }, ...indexesOf(spec)].map(({ keys, sparse = false }: IndexSpec) => ({
      keys: parseSortKeys(keys),
      sparse,
    }));
  }

  async insertOne(doc: T, otherWrites?: () => void): Promise<void> {
    checkDocument(doc, this.spec);
    const json = stringify(doc);
    await this.write(() => {
      this.insert(doc._id, json);
      otherWrites?.();
    });
  }

  async insertMany(docs: readonly T[]): Promise<InsertManyResult> {
    const rows = docs.map((doc) => {
      checkDocument(doc, this.spec);
      return { id: doc._id, json: stringify(doc) };
    });
    const inserted = await this.writeInBatches(rows, ({ id, json }) => {
      const statement = this.database.prepare(
        `INSERT INTO ${this.table} VALUES (?, ?) ON CONFLICT DO NOTHING`,
      );
      return statement.run(id, json).changes > 0;
    });
    const idsWhere = (wanted: boolean) => rows.filter((_, i) => inserted[i] === wanted).map(({ id }) => id);
    return { inserted: idsWhere(true), duplicates: idsWhere(false) };
  }

  async findOne(filter: Filter, options: Pick<FindOptions, 'sort'> = {}): Promise<T | null> {
    const [found = null] = await this.find(filter, { ...options, limit: 1 });
    return found;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    this.enter();
    const query = parseQuery(filter, options);
    if (query.limit === undefined) return this.read(query);
    const scan = scanOf(query, this.indexes);
    return scan ? this.readInParts(scan, query.limit) : this.read(query);
  }

  private async read(selection: Selection): Promise<T[]> {
    const { text, params } = this.selection('doc', selection);
    // One text for all documents: each further row would cost as much as the whole query.
    const found = this.database
      .prepare(`SELECT group_concat(doc, ',') AS docs FROM (${text})`)
      .get(...params);
    await this.database.durable();
    const docs = found?.['docs'];
    return typeof docs === 'string' ? (JSON.parse(`[${docs}]`) as T[]) : [];
  }

  private async readInParts(scan: Scan, limit: number): Promise<T[]> {
    const { sort } = scan;
    const found: T[] = [];
    for await (const condition of this.partsOf(scan, FIRST_PART * limit)) {
      found.push(...(await this.read({ condition, sort, limit: limit - found.length })));
      if (found.length === limit) break;
    }
    return found;
  }

  /**
   * The conditions of the parts of a scan, in its order. Lets other work run between them, because
   * statements run without waiting. ADR 0097
   */
  private async *partsOf(scan: Scan, firstRows = PART): AsyncGenerator<Condition> {
    const { key, prefix, others, end } = scan;
    const part = (range: readonly Condition[]): Condition => ({
      kind: 'all',
      conditions: [...others, ...range],
    });
    // No part of the range has documents without the key.
    const absent = scan.begin.length + end.length === 0 ? part([without(key)]) : null;
    let begin = scan.begin;
    for (let rows = firstRows; ; rows = PART) {
      const last = this.keyOfRow(rows, [...prefix, ...within(key, [...begin, ...end])], scan);
      const isFirst = begin === scan.begin && last !== undefined;
      if (isFirst && absent && !key.descending) yield absent;
      yield part(within(key, [...begin, ...(last === undefined ? end : [upTo(key, last)])]));
      if (last === undefined) break;
      begin = [after(key, last)];
      await nextTurn();
    }
    if (begin !== scan.begin && absent && key.descending) yield absent;
  }

  async updateOne(filter: Filter, update: Update, options: { upsert?: boolean } = {}): Promise<boolean> {
    const operation = this.parse({ filter, update, ...options });
    return this.write(() => this.changeInPlace(operation) || this.changeFirst(operation) !== null);
  }

  async updateMany(filter: Filter, update: Update): Promise<number> {
    const condition = parseFilter(filter);
    const change = parseUpdate(update, this.spec);
    const all = await this.write(() => {
      const found = this.select('rowid, doc', { condition, limit: BATCH + 1 });
      return found.length > BATCH ? null : found.map((row) => this.changeRow(row, change)).length;
    });
    if (all !== null) return all;
    const matching = await this.write(() => this.select('rowid', { condition }));
    const changed = await this.writeInBatches(matching, (row) => {
      const current = this.selectFirst('rowid, doc', { condition, rowid: Number(row['rowid']) });
      return current ? this.changeRow(current, change) : null;
    });
    return changed.filter((one) => one !== null).length;
  }

  async findOneAndUpdate(
    filter: Filter,
    update: Update,
    options: { sort?: SortKeys; upsert?: boolean; returning?: 'before' | 'after' } = {},
  ): Promise<T | null> {
    const { sort, returning = 'after', ...rest } = options;
    const operation = this.parse({ filter, update, ...rest });
    const keys = sort === undefined ? [] : parseSortKeys(sort);
    const changed = await this.write(() => this.changeFirst(operation, keys));
    if (changed === null || returning === 'after') return changed && changed.after;
    return changed.before === null ? null : (JSON.parse(changed.before) as T);
  }

  async bulkUpdate(operations: readonly UpdateOperation[]): Promise<number> {
    const parsed = operations.map((operation) => this.parse(operation));
    const outcomes = await this.writeInBatches(parsed, (operation) => {
      try {
        return this.changeInPlace(operation) || this.changeFirst(operation) !== null;
      } catch (error) {
        // The failed statement had no effect, so the other operations continue.
        if (error instanceof StoreError && (error.code === 'DUPLICATE_KEY' || error.code === 'UNSUPPORTED'))
          return error;
        throw error;
      }
    });
    const failure = outcomes.find((outcome) => outcome instanceof StoreError);
    if (failure) throw failure;
    return outcomes.filter((outcome) => outcome === true).length;
  }

  async deleteOne(filter: Filter): Promise<boolean> {
    const { text, params } = this.selection('rowid', { condition: parseFilter(filter), limit: 1 });
    return this.write(() => {
      const statement = this.database.prepare(`DELETE FROM ${this.table} WHERE rowid IN (${text})`);
      return statement.run(...params).changes > 0;
    });
  }

  async deleteMany(filter: Filter): Promise<number> {
    const condition = parseFilter(filter);
    const scan = unsortedScanOf(condition, this.indexes);
    if (!scan) return this.deleteAll(condition);
    // After the writes that were accepted before.
    await this.write(() => {});
    let all = 0;
    for await (const part of this.partsOf(scan)) all += await this.deleteAll(part);
    return all;
  }

  private async deleteAll(condition: Condition): Promise<number> {
    let all = 0;
    for (;;) {
      // After the writes that were accepted before. A few are deleted in the same commit.
      const found = await this.write(() => {
        const matching = this.select('rowid', { condition, limit: DELETED_AT_ONCE });
        const rowids = matching.map((row) => Number(row['rowid']));
        return rowids.length > BATCH ? rowids : this.deleteRows(rowids, condition);
      });
      if (typeof found === 'number') return all + found;
      // One after the other, so that the writes of others come in between.
      for (const batch of chunksOf(found, BATCH))
        all += await this.write(() => this.deleteRows(batch, condition));
      if (found.length < DELETED_AT_ONCE) return all;
    }
  }

  async count(filter: Filter): Promise<number> {
    this.enter();
    const condition = parseFilter(filter);
    const scan = unsortedScanOf(condition, this.indexes);
    let all = 0;
    if (scan) for await (const part of this.partsOf(scan)) all += this.countAll(part);
    else all = this.countAll(condition);
    await this.database.durable();
    return all;
  }

  private parse({ filter, update, upsert = false }: UpdateOperation): Operation {
    const condition = parseFilter(filter);
    const change = upsert ? parseUpsert(condition, update, this.spec) : parseUpdate(update, this.spec);
    return { condition, change, upsert };
  }

  /** Every method starts with this. */
  private enter(): void {
    this.assertOpen();
    if (!this.hasTable) this.database.exec(createTableSql(this.spec));
    this.hasTable = true;
  }

  private write<R>(work: () => R): Promise<R> {
    this.enter();
    return this.database.write(work);
  }

  private async writeInBatches<I, O>(items: readonly I[], work: (item: I) => O): Promise<O[]> {
    const batches = chunksOf(items, BATCH).map((batch) => this.write(() => batch.map(work)));
    return (await Promise.all(batches)).flat();
  }

  // The following methods run within a write, or only read.

  private insert(id: string, json: string): void {
    this.database.prepare(`INSERT INTO ${this.table} VALUES (?, ?)`).run(id, json);
  }

  private countAll(condition: Condition): number {
    return Number(this.selectFirst('count(*) AS n', { condition })?.['n']);
  }

  private select(columns: string, selection: Selection): Row[] {
    const { text, params } = this.selection(columns, selection);
    return this.database.prepare(text).all(...params);
  }

  private selectFirst(columns: string, selection: Omit<Selection, 'limit'>): Row | undefined {
    const { text, params } = this.selection(columns, { ...selection, limit: 1 });
    return this.database.prepare(text).get(...params);
  }

  private selection(columns: string, { condition, sort = [], limit, rowid }: Selection): Sql {
    const where = compileFilter(condition, this.sparse);
    let text = `SELECT ${columns} FROM ${this.table} WHERE ${where.text}`;
    if (rowid !== undefined) {
      text += ' AND rowid = ?';
      where.params.push(rowid);
    }
    if (sort.length > 0) text += ` ORDER BY ${sort.map(orderSql).join(', ')}`;
    if (limit !== undefined) {
      text += ' LIMIT ?';
      where.params.push(limit);
    }
    return { text, params: where.params };
  }

  /**
   * The key of the row at this position, counted from 1; `undefined` if there is none, or if it
   * can't be compared with others.
   */
  private keyOfRow(
    position: number,
    conditions: readonly Condition[],
    { key: { path }, sort }: Scan,
  ): string | number | undefined {
    const columns = `${valueSql(path)} AS key, ${typeSql(path)} AS type`;
    const { text, params } = this.selection(columns, {
      condition: { kind: 'all', conditions },
      sort,
      limit: 1,
    });
    const row = this.database.prepare(`${text} OFFSET ?`).get(...params, position - 1);
    const key = row?.['key'];
    // The value of a boolean is a number in SQL.
    const isBoolean = row?.['type'] === 'true' || row?.['type'] === 'false';
    return !isBoolean && (typeof key === 'string' || typeof key === 'number') ? key : undefined;
  }

  /**
   * Changes a document in SQLite, without reading and writing it as a whole. Returns `false` if
   * that isn't possible or no document matches; then `changeFirst` decides which.
   */
  private changeInPlace({ condition, change, upsert }: Operation): boolean {
    const assignment = upsert || !isById(condition) ? null : compileChange(change);
    if (!assignment) return false;
    const where = compileFilter(condition, this.sparse);
    const text = `UPDATE ${this.table} SET doc = ${assignment.text} WHERE ${where.text} AND ${assignment.guard}`;
    return this.database.prepare(text).run(...assignment.params, ...where.params).changes > 0;
  }

  private changeFirst(
    { condition, change, upsert }: Operation,
    sort: readonly SortKey[] = [],
  ): Changed<T> | null {
    const row = this.selectFirst('rowid, doc', { condition, sort });
    if (row) return this.changeRow(row, change);
    if (!upsert) return null;
    const after = documentFrom(change) as T;
    this.insert(after._id, stringify(after));
    return { before: null, after };
  }

  private changeRow(row: Row, change: Change): Changed<T> {
    const before = String(row['doc']);
    const after = parse<T>(row);
    applyChange(after, change);
    const json = stringify(after);
    if (json !== before) {
      this.database
        .prepare(`UPDATE ${this.table} SET doc = ? WHERE rowid = ?`)
        .run(json, Number(row['rowid']));
    }
    return { before, after };
  }

  /** Deletes those that match. SQLite joins in this order, so it doesn't search them again. */
  private deleteRows(rowids: readonly number[], condition: Condition): number {
    if (rowids.length === 0) return 0;
    const { text, params } = compileFilter(condition, this.sparse);
    const matching = `SELECT rows.rowid FROM json_each(?) AS given CROSS JOIN ${this.table} AS rows ON rows.rowid = given.value WHERE ${text}`;
    return this.database
      .prepare(`DELETE FROM ${this.table} WHERE rowid IN (${matching})`)
      .run(JSON.stringify(rowids), ...params).changes;
  }
}

/** Whether at most one document can match. */
function isById(condition: Condition): boolean {
  if (condition.kind !== 'all') return false;
  return condition.conditions.some(
    (each) => each.kind === 'field' && each.path === '_id' && typeof each.comparison.$eq === 'string',
  );
}

function stringify(doc: StoredDocument): string {
  const json = JSON.stringify(doc);
  if (json.length > MAX_DOCUMENT_LENGTH) throw unsupported('the document is larger than 16 MB');
  return json;
}

function parse<T>(row: Row): T {
  return JSON.parse(String(row['doc'])) as T;
}

/**
 * Inserts a document and runs `otherWrites`, statements of the same database, in one commit: all of
 * it or nothing is stored. `otherWrites` may run twice.
 * @throws StoreError like `insertOne`; TypeError for a collection of another store
 */
export async function insertInSameCommit<T extends StoredDocument>(
  collection: Pick<Collection<T>, 'insertOne'>,
  doc: T,
  otherWrites: () => void,
): Promise<void> {
  if (!(collection instanceof EmbeddedCollection))
    throw new TypeError('not a collection of an embedded store');
  await collection.insertOne(doc, otherWrites);
}
