import type {
  Collection as DriverCollection,
  Db,
  Filter as DriverFilter,
  MongoBulkWriteError,
  UpdateFilter,
} from 'mongodb';
import { chunksOf, createBatcher, pause } from '@svcforms/primitives';
import { checkDocument } from '../language/document.ts';
import { parseFilter, parseQuery } from '../language/filter.ts';
import { parseSortKeys, type SortKey } from '../language/path.ts';
import { sparsePaths } from '../language/sparse.ts';
import { parseUpdate, parseUpsert } from '../language/update.ts';
import { StoreError } from '../port/errors.ts';
import type {
  Collection,
  CollectionSpec,
  Filter,
  FindOptions,
  InsertManyResult,
  SortKeys,
  StoredDocument,
  Update,
  UpdateOperation,
} from '../port/port.ts';
import { mongoUpdate, withExpiry, withoutExpiry, type MongoDocument } from './expiry.ts';
import { mongoFilter } from './filter.ts';
import type { MongoLink } from './link.ts';
import { isAborted, isDuplicate, isUnsendable, refusalsOf } from './mongo-error.ts';

/** The most documents that one command writes or returns. Some servers accept at most 25,000. */
const BATCH = 1_000;
/** How often a statement is sent that the server aborts because of concurrent ones. */
const ATTEMPTS = 8;

interface UpdateOneOperation {
  updateOne: { filter: DriverFilter<MongoDocument>; update: UpdateFilter<MongoDocument>; upsert: boolean };
}

type Command<R> = (collection: DriverCollection<MongoDocument>) => Promise<R>;

/** A collection of a MongoDB server. */
export class MongoCollection<T extends StoredDocument> implements Collection<T> {
  /** Concurrent single inserts share commands: a round trip each would limit the rate. */
  private readonly insertInBatch = createBatcher({
    run: (docs: readonly MongoDocument[]) => this.insertGroup(docs),
    maxSize: BATCH,
  });

  private handle: { db: Db; collection: DriverCollection<MongoDocument> } | undefined;
  private readonly sparse: ReadonlySet<string>;

  constructor(
    private readonly link: MongoLink,
    readonly spec: CollectionSpec,
  ) {
    this.sparse = sparsePaths(spec.indexes);
  }

  async insertOne(doc: T): Promise<void> {
    checkDocument(doc, this.spec);
    await this.link.accept<unknown>(() => this.insertInBatch(withExpiry(doc, this.spec.expireAt)));
  }

  async insertMany(docs: readonly T[]): Promise<InsertManyResult> {
    const ready = docs.map((doc) => {
      checkDocument(doc, this.spec);
      return withExpiry(doc, this.spec.expireAt);
    });
    const result: InsertManyResult = { inserted: [], duplicates: [] };
    await this.link.accept(async () => {
      for (const group of chunksOf(ready, BATCH)) {
        const errors = await this.insertGroup(group);
        const failure = errors.find((error) => error && !isDuplicate(error));
        if (failure) throw failure;
        group.forEach(({ _id }, i) => (errors[i] ? result.duplicates : result.inserted).push(_id));
      }
    });
    return result;
  }

  async findOne(filter: Filter, options: Pick<FindOptions, 'sort'> = {}): Promise<T | null> {
    const [found = null] = await this.find(filter, { ...options, limit: 1 });
    return found;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<T[]> {
    const query = parseQuery(filter, options);
    const { limit = 0 } = query;
    const found = await this.run((collection) =>
      collection
        .find(mongoFilter(query.filter, this.sparse), {
          sort: mongoSort(query.sort),
          limit,
          batchSize: Math.min(limit || BATCH, BATCH),
        })
        .toArray(),
    );
    return found.map((doc) => this.own(doc));
  }

  async updateOne(filter: Filter, update: Update, options: { upsert?: boolean } = {}): Promise<boolean> {
    const { upsert = false } = options;
    const operation = this.parse({ filter, update, upsert });
    const result = await this.run((collection) =>
      retryRaced(upsert, () => collection.updateOne(operation.filter, operation.update, { upsert })),
    );
    return result.matchedCount + result.upsertedCount > 0;
  }

  async updateMany(filter: Filter, update: Update): Promise<number> {
    const operation = this.parse({ filter, update });
    const result = await this.run((collection) =>
      retryRaced(false, () => collection.updateMany(operation.filter, operation.update)),
    );
    return result.matchedCount;
  }

  async findOneAndUpdate(
    filter: Filter,
    update: Update,
    options: { sort?: SortKeys; upsert?: boolean; returning?: 'before' | 'after' } = {},
  ): Promise<T | null> {
    const { sort, upsert = false, returning: returnDocument = 'after' } = options;
    const operation = this.parse({ filter, update, upsert });
    const keys = sort === undefined ? {} : { sort: mongoSort(parseSortKeys(sort)) };
    const found = await this.run((collection) =>
      retryRaced(upsert, () =>
        collection.findOneAndUpdate(operation.filter, operation.update, {
          ...keys,
          upsert,
          returnDocument,
        }),
      ),
    );
    return found && this.own(found);
  }

  async bulkUpdate(operations: readonly UpdateOperation[]): Promise<number> {
    const updates = inOrderOfDocuments(operations).map((operation) => ({ updateOne: this.parse(operation) }));
    return this.link.accept(async () => {
      let matched = 0;
      let refusal: Error | undefined;
      for (const group of chunksOf(updates, BATCH)) {
        // A refused update doesn't prevent the others. A lost connection ends the call.
        const outcome = await this.updateGroup(group);
        matched += outcome.matched;
        refusal ??= outcome.refusal;
      }
      if (refusal) throw refusal;
      return matched;
    });
  }

  async deleteOne(filter: Filter): Promise<boolean> {
    const where = this.checked(filter);
    const { deletedCount } = await this.run((collection) =>
      retryRaced(false, () => collection.deleteOne(where)),
    );
    return deletedCount > 0 || this.deleteMissed(filter);
  }

  async deleteMany(filter: Filter): Promise<number> {
    const where = this.checked(filter);
    const { deletedCount } = await this.run((collection) =>
      retryRaced(false, () => collection.deleteMany(where)),
    );
    return deletedCount;
  }

  async count(filter: Filter): Promise<number> {
    const where = this.checked(filter);
    return this.run((collection) => collection.countDocuments(where));
  }

  /**
   * Deletes a document that `deleteOne` didn't, because it was updated at the same moment:
   * DocumentDB then deletes nothing and reports no error. Its `deleteMany` waits for the update.
   * Usually no document matches, which takes one more query.
   */
  private async deleteMissed(filter: Filter): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const missed = await this.findOne(filter);
      if (!missed) return false;
      if ((await this.deleteMany({ $and: [filter, { _id: missed._id }] })) > 0) return true;
    }
    throw new StoreError('UNAVAILABLE', "MongoDB doesn't delete a document that it finds");
  }

  /** Runs a call of the port that is one call of the driver. */
  private run<R>(command: Command<R>): Promise<R> {
    return this.link.accept(() => this.call(command));
  }

  private call<R>(command: Command<R>): Promise<R> {
    return this.link.call((db) => {
      // Created once per connection: it costs as much as a small command.
      if (this.handle?.db !== db) this.handle = { db, collection: db.collection(this.spec.name) };
      return command(this.handle.collection);
    });
  }

  private parse({ filter, update, upsert = false }: UpdateOperation): UpdateOneOperation['updateOne'] {
    const condition = parseFilter(filter);
    const change = upsert ? parseUpsert(condition, update, this.spec) : parseUpdate(update, this.spec);
    return {
      filter: mongoFilter(filter, this.sparse),
      update: mongoUpdate(change, this.spec.expireAt),
      upsert,
    };
  }

  private checked(filter: Filter): DriverFilter<MongoDocument> {
    parseFilter(filter);
    return mongoFilter(filter, this.sparse);
  }

  private own(doc: MongoDocument): T {
    return (this.spec.expireAt === undefined ? doc : withoutExpiry(doc)) as StoredDocument as T;
  }

  /** Returns the driver's error for each document, `null` for inserted ones. Never rejects. */
  private async insertGroup(docs: readonly MongoDocument[]): Promise<(Error | null)[]> {
    let errors = await this.insertOnce(docs);
    for (let attempt = 1; attempt < ATTEMPTS && errors.some(isAborted); attempt += 1) {
      await pauseAfterAbort(attempt);
      const aborted = docs.filter((_, i) => isAborted(errors[i]));
      const repeated = (await this.insertOnce(aborted)).values();
      errors = errors.map((error) => (isAborted(error) ? (repeated.next().value ?? null) : error));
    }
    return errors;
  }

  private async insertOnce(docs: readonly MongoDocument[]): Promise<(Error | null)[]> {
    try {
      await this.call((collection) => collection.insertMany([...docs], { ordered: false }));
      return docs.map(() => null);
    } catch (error) {
      const refused = refusalsOf(error);
      if (refused.size > 0) return docs.map((_, i) => refused.get(i) ?? null);
      if (isUnsendable(error) && docs.length > 1) {
        return (await Promise.all(docs.map((doc) => this.insertOnce([doc])))).flat();
      }
      return docs.map(() => error as Error);
    }
  }

  /**
   * Returns how many updates matched, and the error of a refused one. Rejects only if the outcome
   * is unknown.
   */
  private async updateGroup(
    updates: readonly UpdateOneOperation[],
    attempt = 1,
  ): Promise<{ matched: number; refusal?: Error | undefined }> {
    try {
      const result = await this.call((collection) => collection.bulkWrite(updates, { ordered: false }));
      return { matched: result.matchedCount + result.upsertedCount };
    } catch (error) {
      const refused = refusalsOf(error);
      if (refused.size === 0) throw error;
      const { matchedCount, upsertedCount } = error as MongoBulkWriteError;
      const matched = matchedCount + upsertedCount;
      const isRacedAt = (i: number) =>
        isRaced(refused.get(i), updates[i]?.updateOne.upsert ?? false, attempt);
      const refusal = [...refused].find(([i]) => !isRacedAt(i))?.[1];
      const raced = updates.filter((_, i) => isRacedAt(i));
      if (raced.length === 0) return { matched, refusal };
      if ([...refused.values()].some(isAborted)) await pauseAfterAbort(attempt);
      const repeated = await this.updateGroup(raced, attempt + 1);
      return { matched: matched + repeated.matched, refusal: refusal ?? repeated.refusal };
    }
  }
}

/**
 * Whether a statement failed because of a concurrent one, so that its next attempt can succeed.
 * Concurrent upserts of one document may both find it absent; the second attempt finds it.
 */
function isRaced(error: unknown, upsert: boolean, attempt: number): boolean {
  return (upsert && attempt === 1 && isDuplicate(error)) || (attempt < ATTEMPTS && isAborted(error));
}

/**
 * Waits for a random time, because statements that are all repeated at once wait for each other
 * again.
 */
function pauseAfterAbort(attempt: number): Promise<void> {
  return pause(Math.random() * attempt * 200);
}

async function retryRaced<R>(upsert: boolean, call: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isRaced(error, upsert, attempt)) throw error;
      if (isAborted(error)) await pauseAfterAbort(attempt);
    }
  }
}

/** The sort order of a query, or the keys of an index. */
export function mongoSort(keys: readonly SortKey[]): Record<string, 1 | -1> {
  return Object.fromEntries(keys.map(({ path, descending }) => [path, descending ? -1 : 1]));
}

/**
 * A server may lock each updated document until the end of the command. Two commands with the same
 * documents in different orders would then wait for each other, until PostgreSQL undoes one of them
 * after a second.
 */
function inOrderOfDocuments(operations: readonly UpdateOperation[]): UpdateOperation[] {
  const idOf = ({ filter }: UpdateOperation) => (typeof filter['_id'] === 'string' ? filter['_id'] : '');
  return operations.toSorted((a, b) => {
    const [first, second] = [idOf(a), idOf(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  });
}
