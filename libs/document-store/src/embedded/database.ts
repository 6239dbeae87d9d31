import Libsql from 'libsql';
import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { StoreError } from '../errors.ts';
import { openSyncer, type Sync, type Syncer } from './syncer.ts';
import { storeErrorFrom } from './sqlite-error.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/**
 * What the engine refuses is thrown as a StoreError (`DUPLICATE_KEY`, `DISK_FULL`, `UNAVAILABLE`). Numbers are bound as
 * REAL, so columns of whole numbers need the type INTEGER. A text is read up to its first NUL.
 */
export interface Statement {
  /** For what returns no rows. */
  run(...params: SqlValue[]): { changes: number; lastInsertRowid: number };
  /** The first row. */
  get(...params: SqlValue[]): Row | undefined;
  all(...params: SqlValue[]): Row[];
}

/** One SQLite file with its writes gathered. Shared by the stores that live in the file. */
export interface EmbeddedDatabase {
  /** A prepared statement, cached by its text. */
  prepare(sql: string): Statement;
  /** Schema statements; outside of writes. */
  exec(sql: string): void;
  /**
   * Group commit: runs `work` synchronously in a transaction that it shares with the other writes of these moments, and
   * resolves with its value when that transaction is durable. What `work` throws rejects this call alone and takes
   * back what `work` had changed. To that end a group may be run a second time from its beginning, so `work` must
   * depend on nothing but the database and what was there when it was handed over.
   * @throws StoreError `DISK_FULL` (nothing of the group was written), `UNAVAILABLE` (closed, or its device has failed)
   */
  write<T>(work: () => T): Promise<T>;
  /**
   * What statements read now may not be durable for a moment: resolves when it is. `undefined` where it is already.
   * @throws StoreError `UNAVAILABLE` (its device has failed)
   */
  durable(): Promise<void> | undefined;
  /**
   * Folds the write-ahead log into the file and empties it, so that the former contents of pages are in neither: in the file,
   * what is deleted is overwritten. While another process reads, it is left for the next call.
   */
  foldLog(): Promise<void>;
  /** Flushes accepted writes, then lets go of the file. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Beside the process that owns the file, for a tool that reads and writes a little. */
  shared?: boolean;
  /** Has the operating system write out what it holds of a file; `fdatasync` by default. */
  sync?: Sync;
}

interface PendingWrite {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

type Outcome = { value: unknown } | { error: unknown };

const MAX_CACHED_STATEMENTS = 500;
/** A group is committed after this long even if more writes wait, so that reads and timers get their turn. */
const MAX_GROUP_MS = 5;
/**
 * Writes are gathered for as long as each turn of the event loop brings more of them, so that one that comes alone is committed
 * a turn later; but no longer than some times what a commit takes, which under load leaves most of the time to other work.
 */
const GATHER_PER_COMMIT = 5;
const GATHER_MS = { least: 2, most: 4 };
/** At most 16 MiB of pages in memory (negative: KiB). */
const CACHE_SIZE = -16_384;
/** The log is folded into the file after so many pages (64 MiB): a page that changes often is then written there once. */
const CHECKPOINT_PAGES = 16_384;

/** Another process's transaction is waited for this long; only the admin command is ever there. */
const BUSY_TIMEOUT_MS = 5_000;

/** A lock beside the file that only one process can hold; it ends with the process, whatever way that ends. */
function takeOwnership(path: string): Libsql.Database {
  return connect(`${path}.lock`, path, ['PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE']);
}

const OWNER_ONLY = 0o600;

/**
 * Makes the database readable by its owner alone, before anything is written to it: it holds password hashes and submissions.
 * SQLite gives its log and its index the rights of the database; files of an older version get them here.
 */
function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    try {
      if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
    } catch {
      // It isn't there, or is another user's: then that one has to change it.
    }
  }
}

/** `FULL` has each commit wait for the disk; `NORMAL` leaves that to us, but for checkpoints. */
function openFile(path: string, synchronous: 'FULL' | 'NORMAL'): Libsql.Database {
  return connect(path, path, [
    `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'PRAGMA journal_mode = WAL',
    `PRAGMA synchronous = ${synchronous}`,
    `PRAGMA cache_size = ${CACHE_SIZE}`,
    `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    // What is deleted or replaced is overwritten with zeros, so that an erased value isn't left in free space.
    'PRAGMA secure_delete = ON',
    'BEGIN IMMEDIATE',
    'COMMIT',
  ]);
}

/** `path` is what failures name. */
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
    if (known instanceof StoreError) throw known;
    const hint = 'does its folder exist, and may this user write there?';
    throw new StoreError('UNAVAILABLE', `${path} can't be opened: ${hint}`, { cause: error });
  }
}

class SqliteDatabase implements EmbeddedDatabase {
  private readonly ownership: Libsql.Database | undefined;
  private readonly connection: Libsql.Database;
  /** Of the log, to which commits only write. None where each commit syncs by itself. */
  private readonly syncer: Syncer | undefined;
  private readonly statements = new Map<string, Statement>();
  private queue: PendingWrite[] = [];
  private scheduled = false;
  /** When the first of the queue came, and how many there were a turn of the event loop ago. */
  private waitingSince = 0;
  private seen = 0;
  private gatherMs = GATHER_MS.least;
  /** Gathering has ended while the group before was on its way to the disk. */
  private waitsForSync = false;
  private closed = false;
  /** Whether the current work has changed something: only then must more than its failed statement be undone. */
  private changed = false;

  constructor(
    private readonly path: string,
    { shared = false, sync }: OpenOptions,
  ) {
    this.ownership = shared ? undefined : takeOwnership(path);
    try {
      this.connection = openFile(path, shared ? 'FULL' : 'NORMAL');
      this.syncer = shared ? undefined : openSyncer(`${path}-wal`, sync);
    } catch (error) {
      this.giveUpOwnership();
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
      throw storeErrorFrom(error, this.path);
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

  async foldLog(): Promise<void> {
    // After what is on its way to the disk, and between two groups.
    await this.write(() => {});
    try {
      // Whoever reads is not waited for: this thread would stand still meanwhile.
      this.open().exec(
        `PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
      );
    } catch (error) {
      throw storeErrorFrom(error, this.path);
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    while (this.queue.length > 0) this.flush();
    await this.syncer?.close();
    this.statements.clear();
    try {
      this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // No room to fold the log into the file: it stays beside the file, and the next start reads it.
    }
    this.connection.close();
    this.giveUpOwnership();
  }

  private giveUpOwnership(): void {
    // Closing alone would keep the lock until the garbage collector has met what was prepared.
    this.ownership?.exec('ROLLBACK; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master');
    this.ownership?.close();
  }

  private compile(sql: string): Statement {
    const native = this.open().prepare(sql);
    const { reader } = native;
    // The binding forgets the new parameters of a statement that `get` uses after `all`: each has one of its own.
    let nativeGet: typeof native | undefined;
    const writes = !/^\s*SELECT\b/i.test(sql);
    const execute = <T>(returnsRows: boolean, call: () => unknown): T => {
      // Run, a statement that returns rows would stay unfinished, and no transaction could be committed from then on.
      if (reader !== returnsRows)
        throw new TypeError(`${reader ? 'returns rows' : 'returns no rows'}: ${sql}`);
      try {
        const result = call();
        if (writes) this.changed = true;
        return result as T;
      } catch (error) {
        throw storeErrorFrom(error, this.path);
      }
    };
    return {
      run: (...params) => execute(false, () => native.run(bindable(params))),
      get: (...params) => execute(true, () => (nativeGet ??= this.open().prepare(sql)).get(bindable(params))),
      all: (...params) => execute(true, () => native.all(bindable(params))),
    };
  }

  private open(): Libsql.Database {
    const failure = this.connection.open ? this.syncer?.failure() : this.closedError();
    if (failure) throw failure;
    return this.connection;
  }

  private closedError(): StoreError {
    return new StoreError('UNAVAILABLE', `${this.path} is closed`);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.waitingSince = performance.now();
    this.seen = 0;
    setImmediate(this.gather);
  }

  private readonly gather = (): void => {
    if (this.queue.length > this.seen && performance.now() - this.waitingSince < this.gatherMs) {
      this.seen = this.queue.length;
      setImmediate(this.gather);
      return;
    }
    // One group at a time, so that what comes meanwhile shares the next commit.
    this.waitsForSync = this.syncer?.pending() !== undefined;
    if (this.waitsForSync) return;
    this.scheduled = false;
    this.flush();
    if (this.queue.length > 0) this.schedule();
  };

  private readonly resumeGathering = (): void => {
    if (!this.waitsForSync) return;
    this.waitsForSync = false;
    // A turn later: who is told now may have something for this group.
    setImmediate(this.gather);
  };

  private flush(): void {
    const waiting = this.queue;
    if (waiting.length === 0) return;
    try {
      this.open();
      const outcomes = this.runGroup(waiting, false) ?? this.runGroup(waiting, true) ?? [];
      this.queue = waiting.slice(outcomes.length);
      this.settleWhenDurable(waiting, outcomes);
    } catch (error) {
      this.queue = [];
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
      for (const { reject } of waiting) reject(error);
    }
  }

  private settleWhenDurable(waiting: readonly PendingWrite[], outcomes: readonly Outcome[]): void {
    const settle = () => {
      outcomes.forEach((outcome, index) => {
        const { resolve, reject } = waiting[index] as PendingWrite;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    };
    if (!this.syncer) return settle();
    this.syncer
      .sync()
      .then(settle, (error: unknown) => {
        for (const { reject } of waiting.slice(0, outcomes.length)) reject(error);
      })
      .finally(this.resumeGathering);
  }

  /**
   * Runs as many works as fit into one group, and commits. A work that throws after it has changed something must be
   * undone alone: that takes a savepoint around each (which nearly doubles the cost of a small insert), so the group is
   * first run without, and `null` asks for another run with them.
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
        const full = error instanceof StoreError && error.code === 'DISK_FULL';
        if (full || !this.connection.inTransaction) throw error;
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
    this.gatherMs = Math.min(GATHER_MS.most, Math.max(GATHER_MS.least, GATHER_PER_COMMIT * took));
    return outcomes;
  }
}

/** One array, as the binding wants it. A boolean or `undefined` in it would abort the whole process there. */
function bindable(params: readonly SqlValue[]): readonly SqlValue[] {
  for (const param of params) {
    if (param === undefined || typeof param === 'boolean')
      throw new TypeError(`not a SQL value: ${String(param)}`);
  }
  return params;
}

/**
 * Opens (or makes) the SQLite file at `path` and takes hold of it: no other process can open it meanwhile, but a tool that
 * asks for a share.
 * @throws StoreError `UNAVAILABLE` (no such folder, not a database, in use by another process), `DISK_FULL`
 */
export function openEmbeddedDatabase(path: string, options: OpenOptions = {}): EmbeddedDatabase {
  return new SqliteDatabase(path, options);
}
