import Libsql from 'libsql';
import { chmodSync, closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreError } from '../port/errors.ts';
import { openCheckpointer, type Checkpointer } from './checkpointer.ts';
import { openSyncer, type Sync, type Syncer } from './syncer.ts';
import { isDamage, storeErrorFrom } from './sqlite-error.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/**
 * Throws errors of SQLite as StoreErrors (`DUPLICATE_KEY`, `DISK_FULL`, `UNAVAILABLE`). Numbers are
 * bound as REAL, so columns of whole numbers need the type INTEGER. A text is read up to its first
 * NUL.
 */
interface Statement {
  /** Runs a statement that returns no rows. */
  run(...params: SqlValue[]): { changes: number; lastInsertRowid: number };
  /** The first row. */
  get(...params: SqlValue[]): Row | undefined;
  all(...params: SqlValue[]): Row[];
}

/** One SQLite file whose writes are batched. The stores in the file share it. */
export interface EmbeddedDatabase {
  /** Returns a prepared statement, cached by its text. */
  prepare(sql: string): Statement;
  /** Runs schema statements. Not allowed within writes. */
  exec(sql: string): void;
  /**
   * Group commit: runs `work` synchronously in a transaction that concurrent writes share, and
   * resolves with its result when the transaction is durable. If `work` throws, only this call
   * rejects, and only the changes of `work` are undone. For this, a group may run a second time
   * from its start, so `work` must depend only on the database and on its inputs.
   * @throws StoreError `DISK_FULL` (nothing of the group was written), `UNAVAILABLE` (closed, the
   * device failed, or the file was deleted)
   */
  write<T>(work: () => T): Promise<T>;
  /**
   * Resolves when everything that statements can read now is durable. `undefined` if it is already.
   * @throws StoreError `UNAVAILABLE` (the device failed)
   */
  durable(): Promise<void> | undefined;
  /**
   * After a write failed because the disk was full or broken, checks that it takes data again.
   * @throws StoreError `DISK_FULL`; `UNAVAILABLE` if the file is damaged, as a statement has found,
   * or was deleted
   */
  checkFile(): void;
  /**
   * Moves the write-ahead log into the file and empties it, so that neither has former contents of
   * pages: the file overwrites deleted data. Does nothing while another process reads.
   */
  foldLog(): Promise<void>;
  /** Flushes accepted writes, then closes the file. */
  close(): Promise<void>;
}

interface OpenOptions {
  /** Opens the file beside the process that owns it, for a tool with few reads and writes. */
  shared?: boolean;
  /** Flushes a file to its device. Default: `fdatasync`. */
  sync?: Sync;
  /** The log is moved into the file when it has this many pages. Default: 16 384 (64 MiB). */
  checkpointPages?: number;
}

interface PendingWrite {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

type Outcome = { value: unknown } | { error: unknown };

const MAX_CACHED_STATEMENTS = 500;
/**
 * A group is committed after this time even if more writes are queued, so that reads and timers can
 * run.
 */
const MAX_GROUP_MS = 5;
/**
 * A batch stays open as long as each turn of the event loop adds writes, so a single write is
 * committed one turn later. The limit is a multiple of the duration of a commit, which under load
 * leaves most of the time to other work.
 */
const BATCH_PER_COMMIT = 5;
const BATCH_MS = { min: 2, max: 4 };
/** At most 16 MiB of pages in memory (negative: KiB). */
const CACHE_SIZE = -16_384;
/** A page that changes often within this many pages of the log is written to the file once. */
const CHECKPOINT_PAGES = 16_384;

/** The longest wait for a transaction of another process, which is always an admin command. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Locks a file beside the database for one process. The lock ends with the process, however it
 * ends.
 */
function lockDatabase(path: string): Libsql.Database {
  return connect(`${path}.lock`, path, ['PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE']);
}

const OWNER_ONLY = 0o600;

/** After a write failed, the disk counts as full until it takes this much. */
const ROOM_BYTES = 1024 * 1024;

/**
 * Makes the database readable only by its owner before anything is written to it: it contains
 * password hashes and submissions. SQLite gives its log and its index the same mode; files of an
 * older version get it here.
 */
function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    try {
      if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
    } catch {
      // The file doesn't exist, or belongs to another user who has to change it.
    }
  }
}

/**
 * With `FULL`, each commit waits for the disk. With `NORMAL`, only the first one after the log
 * starts again does, and the syncer does the rest.
 */
function openFile(path: string, synchronous: 'FULL' | 'NORMAL'): Libsql.Database {
  return connect(path, path, [
    `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'PRAGMA journal_mode = WAL',
    `PRAGMA synchronous = ${synchronous}`,
    `PRAGMA cache_size = ${CACHE_SIZE}`,
    // The checkpointer does it.
    'PRAGMA wal_autocheckpoint = 0',
    // Overwrites deleted and replaced data with zeros, so that no erased value stays in free space.
    'PRAGMA secure_delete = ON',
    'BEGIN IMMEDIATE',
    'COMMIT',
  ]);
}

/** Errors name `path`. */
function connect(file: string, path: string, statements: readonly string[]): Libsql.Database {
  try {
    restrictToOwner(file);
    const connection = new Libsql(file);
    try {
      for (const statement of statements) connection.exec(statement);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    const known = storeErrorFrom(error, path);
    const isUnopened = error instanceof Error && 'code' in error && error.code === 'SQLITE_CANTOPEN';
    if (known instanceof StoreError && !isUnopened) throw known;
    const hint = `check that its folder exists, and that this user may write to it and to its files ${basename(path)}*`;
    throw new StoreError('UNAVAILABLE', `${path} can't be opened: ${hint}`, { cause: error });
  }
}

class SqliteDatabase implements EmbeddedDatabase {
  private readonly lock: Libsql.Database | undefined;
  private readonly connection: Libsql.Database;
  /** Syncs the log, because commits only write to it. Absent if each commit syncs itself. */
  private readonly syncer: Syncer | undefined;
  private readonly checkpointer: Checkpointer;
  private readonly statements = new Map<string, Statement>();
  private queue: PendingWrite[] = [];
  private scheduled = false;
  /**
   * The time of the first queued write, and the length of the queue one turn of the event loop ago.
   */
  private openSince = 0;
  private lastLength = 0;
  private batchMs = BATCH_MS.min;
  /**
   * The batch is complete, but the previous one is still being synced, or a checkpoint holds
   * commits.
   */
  private waits = false;
  private closed = false;
  /** Why the disk refused a write, until it takes data again. */
  private full: StoreError | undefined;
  /** The first error of a statement that found the file damaged. */
  private damage: StoreError | undefined;
  /**
   * Whether the current work has changed data. If so, undoing the failed statement isn't enough.
   */
  private changed = false;

  constructor(
    private readonly path: string,
    { shared = false, sync, checkpointPages = CHECKPOINT_PAGES }: OpenOptions,
  ) {
    this.lock = shared ? undefined : lockDatabase(path);
    try {
      this.connection = openFile(path, shared ? 'FULL' : 'NORMAL');
      this.syncer = shared ? undefined : openSyncer(`${path}-wal`, sync);
      this.checkpointer = openCheckpointer(path, {
        pages: checkpointPages,
        pageSize: Number(this.prepare('PRAGMA page_size').all()[0]?.['page_size']),
        onRelease: this.resumeCollecting,
      });
    } catch (error) {
      this.releaseLock();
      throw error;
    }
  }

  prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (statement) {
      this.statements.delete(sql);
    } else {
      statement = this.compile(sql);
      const oldest =
        this.statements.size < MAX_CACHED_STATEMENTS ? undefined : this.statements.keys().next().value;
      if (oldest !== undefined) this.statements.delete(oldest);
    }
    this.statements.set(sql, statement);
    return statement;
  }

  exec(sql: string): void {
    try {
      this.open().exec(sql);
    } catch (error) {
      throw this.known(error);
    }
  }

  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const failure = this.closed ? this.closedError() : this.syncer?.failure();
      if (failure) {
        reject(failure);
        return;
      }
      this.queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.schedule();
    });
  }

  durable(): Promise<void> | undefined {
    const failure = this.syncer?.failure();
    return failure ? Promise.reject(failure) : this.syncer?.pending();
  }

  checkFile(): void {
    if (this.damage) throw this.damage;
    this.checkName();
    if (!this.full) return;
    if (!takesData(`${this.path}-room`)) throw this.full;
    this.full = undefined;
  }

  async foldLog(): Promise<void> {
    // Everything that was written before this call is committed.
    await this.write(() => {});
    try {
      await this.checkpointer.truncate();
    } catch (error) {
      throw storeErrorFrom(error, this.path);
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.checkpointer.close();
    while (this.queue.length > 0) this.flush();
    await this.syncer?.close();
    this.statements.clear();
    try {
      this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // If the disk is full, the log stays beside the file, and the next start reads it.
    }
    this.connection.close();
    this.releaseLock();
  }

  private releaseLock(): void {
    // `close` alone would keep the lock until prepared statements are garbage-collected.
    this.lock?.exec('ROLLBACK; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master');
    this.lock?.close();
  }

  private compile(sql: string): Statement {
    const native = this.open().prepare(sql);
    const { reader } = native;
    // After `all`, `get` on the same statement ignores new parameters (a bug of the binding), so
    // each has its own statement.
    let nativeGet: typeof native | undefined;
    const writes = !/^\s*SELECT\b/i.test(sql);
    const execute = <T>(returnsRows: boolean, call: () => unknown): T => {
      // `run` of a statement that returns rows would leave it unfinished, and no later transaction
      // could be committed.
      if (reader !== returnsRows)
        throw new TypeError(`${reader ? 'returns rows' : 'returns no rows'}: ${sql}`);
      try {
        const result = call();
        if (writes) this.changed = true;
        return result as T;
      } catch (error) {
        throw this.known(error);
      }
    };
    return {
      run: (...params) => execute(false, () => native.run(bindable(params))),
      get: (...params) => execute(true, () => (nativeGet ??= this.open().prepare(sql)).get(bindable(params))),
      all: (...params) => execute(true, () => native.all(bindable(params))),
    };
  }

  private known(error: unknown): unknown {
    const known = storeErrorFrom(error, this.path);
    if (isDamage(known)) this.damage ??= known;
    return known;
  }

  private open(): Libsql.Database {
    const failure = this.connection.open ? this.syncer?.failure() : this.closedError();
    if (failure) throw failure;
    return this.connection;
  }

  /** Reads go on, so that what is in the deleted file can still be exported. */
  private checkName(): void {
    if (!this.syncer?.isDeleted()) return;
    const next = 'export what you need, restore a backup and restart';
    throw new StoreError('UNAVAILABLE', `${this.path} was deleted, so nothing is accepted anymore: ${next}`);
  }

  private closedError(): StoreError {
    return new StoreError('UNAVAILABLE', `${this.path} is closed`);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.openSince = performance.now();
    this.lastLength = 0;
    setImmediate(this.collect);
  }

  private readonly collect = (): void => {
    if (this.queue.length > this.lastLength && performance.now() - this.openSince < this.batchMs) {
      this.lastLength = this.queue.length;
      setImmediate(this.collect);
      return;
    }
    // One group at a time, so that writes that arrive meanwhile share the next commit.
    this.waits = this.syncer?.pending() !== undefined || this.checkpointer.holdsCommits();
    if (this.waits) return;
    this.scheduled = false;
    this.flush();
    if (this.queue.length > 0) this.schedule();
  };

  private readonly resumeCollecting = (): void => {
    if (!this.waits) return;
    this.waits = false;
    // One turn later, because callers of the previous group may add writes to this one.
    setImmediate(this.collect);
  };

  private flush(): void {
    const queued = this.queue;
    if (queued.length === 0) return;
    try {
      this.open();
      this.checkName();
      const outcomes = this.runGroup(queued, false) ?? this.runGroup(queued, true) ?? [];
      this.queue = queued.slice(outcomes.length);
      this.resolveWhenDurable(queued, outcomes);
    } catch (error) {
      this.queue = [];
      if (isFull(error)) this.full = error;
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
      for (const { reject } of queued) reject(error);
    }
  }

  private resolveWhenDurable(queued: readonly PendingWrite[], outcomes: readonly Outcome[]): void {
    const resolveAll = () => {
      outcomes.forEach((outcome, index) => {
        const { resolve, reject } = queued[index] as PendingWrite;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    };
    if (!this.syncer) return resolveAll();
    this.syncer
      .sync()
      .then(resolveAll, (error: unknown) => {
        for (const { reject } of queued.slice(0, outcomes.length)) reject(error);
      })
      .finally(this.resumeCollecting);
  }

  /**
   * Runs as many writes as fit into one group, and commits. Undoing only one write that throws
   * after a change requires a savepoint around each, which nearly doubles the cost of a small
   * insert. So a group first runs without savepoints; `null` requests a second run with them.
   */
  private runGroup(group: readonly PendingWrite[], savepoints: boolean): Outcome[] | null {
    const outcomes: Outcome[] = [];
    const deadline = performance.now() + MAX_GROUP_MS;
    this.prepare('BEGIN IMMEDIATE').run();
    for (const { work } of group) {
      if (savepoints) this.prepare('SAVEPOINT work').run();
      this.changed = false;
      try {
        outcomes.push({ value: work() });
      } catch (error) {
        if (isFull(error) || !this.connection.inTransaction) throw error;
        if (savepoints) {
          this.prepare('ROLLBACK TO work').run();
        } else if (this.changed) {
          this.prepare('ROLLBACK').run();
          return null;
        }
        outcomes.push({ error });
      }
      if (savepoints) this.prepare('RELEASE work').run();
      if (performance.now() > deadline) break;
    }
    const committing = performance.now();
    this.prepare('COMMIT').run();
    const took = performance.now() - committing;
    this.checkpointer.committed();
    this.batchMs = Math.min(BATCH_MS.max, Math.max(BATCH_MS.min, BATCH_PER_COMMIT * took));
    return outcomes;
  }
}

/**
 * Tries to write a file. The free blocks of the file system say nothing about quotas and broken
 * devices.
 */
function takesData(file: string): boolean {
  try {
    writeFileSync(file, Buffer.alloc(ROOM_BYTES), { mode: OWNER_ONLY, flush: true });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}

function isFull(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'DISK_FULL';
}

/** Checks parameters, because a boolean or `undefined` would make the binding abort the process. */
function bindable(params: readonly SqlValue[]): readonly SqlValue[] {
  for (const param of params) {
    if (param === undefined || typeof param === 'boolean')
      throw new TypeError(`not a SQL value: ${String(param)}`);
  }
  return params;
}

/**
 * Opens or creates the SQLite file at `path` and locks it: until it is closed, another process can
 * open it only with `shared`.
 * @throws StoreError `UNAVAILABLE` (no such folder, not a database, in use by another process),
 * `DISK_FULL`
 */
export function openEmbeddedDatabase(path: string, options: OpenOptions = {}): EmbeddedDatabase {
  return new SqliteDatabase(path, options);
}
