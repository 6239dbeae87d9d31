import { MongoClient, MongoNetworkError, type Db } from 'mongodb';
import { StoreError } from '../port/errors.ts';
import { isClientClosed, isServerMissing, storeErrorFrom } from './mongo-error.ts';

export interface MongoStoreOptions {
  /** `mongodb://…`; the database is the one in its path, else `svcforms`. */
  url: string;
  /** How long a call waits for an available server, in milliseconds. Default: 5 s. */
  serverSelectionTimeoutMs?: number;
  /**
   * A connection without data for this long is closed, because the server hangs, in milliseconds.
   * Default: 30 s.
   */
  socketTimeoutMs?: number;
}

/** The connection to the server while the store is open. */
export interface MongoLink {
  /**
   * Runs the work of one call of the port. Rejects on a closed link; `close` waits for it. Errors
   * are StoreErrors.
   */
  accept<R>(work: () => Promise<R>): Promise<R>;
  /** Calls the driver as a part of accepted work. Rejects with the driver's errors. */
  call<R>(command: (db: Db) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

const SOCKET_TIMEOUT_MS = 30_000;
const SERVER_SELECTION_TIMEOUT_MS = 5_000;
/**
 * Options of a URL that would send reads to a server without the latest writes, or acknowledge
 * writes that a crash can undo. They are removed, because for some of them the driver lets the URL
 * take precedence over its options.
 */
const WEAKENING_OPTIONS =
  /(?<=[?&])(?:readPreference|readPreferenceTags|maxStalenessSeconds|w|j|journal|fsync|readConcernLevel(?==available(?:&|$)))=[^&]*&?/gi;
/**
 * When a connection is lost, pending calls get this time in addition to the server selection,
 * because the driver retries some. The driver (7.8) never ends a call that it starts on a socket
 * whose close it hasn't noticed yet.
 */
const LOSS_GRACE_MS = 1_000;

/** Doesn't connect yet. @throws StoreError `UNSUPPORTED` if the URL isn't a MongoDB address */
export function createLink(options: MongoStoreOptions): MongoLink {
  const { serverSelectionTimeoutMs = SERVER_SELECTION_TIMEOUT_MS, socketTimeoutMs = SOCKET_TIMEOUT_MS } =
    options;
  const { url } = options;
  let client = open();
  const address = client.options.srvHost ?? client.options.hosts.join(', ');
  const database = /^[^/]+:\/\/[^/]+\/[^?]/.test(url) ? undefined : 'svcforms';
  let db = databaseOf(client, database);
  /** Why a client was replaced, for the calls that its end interrupts. */
  const reasons = new WeakMap<MongoClient, unknown>();
  const accepted = new Set<Promise<unknown>>();
  const calls = new Set<(reason: Error) => void>();
  let closed = false;

  function open(): MongoClient {
    return createClient({ url, serverSelectionTimeoutMs, socketTimeoutMs }).on(
      'connectionPoolCleared',
      giveUpSoon,
    );
  }

  function giveUpSoon(): void {
    const inDoubt = [...calls];
    const giveUp = () =>
      inDoubt.forEach((reject) => reject(new MongoNetworkError('the connection was lost')));
    setTimeout(giveUp, serverSelectionTimeoutMs + LOSS_GRACE_MS).unref();
  }

  /**
   * The same fault can end the driver's server monitoring. The client would then never find a
   * server again.
   */
  function replace(lost: MongoClient, reason: unknown): void {
    if (closed || lost !== client) return;
    reasons.set(lost, reason);
    client = open();
    db = client.db(database);
    giveUpSoon();
    lost.close().catch(() => {});
  }

  return {
    async accept(work) {
      if (closed) throw new StoreError('UNAVAILABLE', `the store on MongoDB at ${address} is closed`);
      const result = work();
      accepted.add(result);
      try {
        return await result;
      } catch (error) {
        throw storeErrorFrom(error, address);
      } finally {
        accepted.delete(result);
      }
    },
    async call(command) {
      const used = client;
      let giveUp: (reason: Error) => void = () => {};
      const lost = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      calls.add(giveUp);
      try {
        return await Promise.race([command(db), lost]);
      } catch (error) {
        if (isServerMissing(error)) replace(used, error);
        throw isClientClosed(error) ? (reasons.get(used) ?? error) : error;
      } finally {
        calls.delete(giveUp);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(accepted);
      await client.close();
    },
  };
}

function createClient({
  url,
  serverSelectionTimeoutMs,
  socketTimeoutMs,
}: Required<MongoStoreOptions>): MongoClient {
  try {
    return new MongoClient(url.replace(WEAKENING_OPTIONS, ''), {
      writeConcern: { w: 'majority', journal: true },
      ignoreUndefined: true,
      serverSelectionTimeoutMS: serverSelectionTimeoutMs,
      connectTimeoutMS: serverSelectionTimeoutMs,
      socketTimeoutMS: socketTimeoutMs,
    });
  } catch {
    // The driver's message may contain the address with the password.
    throw new StoreError(
      'UNSUPPORTED',
      'not a MongoDB address; expected mongodb://host:port/database, with percent-encoded characters such as @ : / % in a user or password',
    );
  }
}

/** The driver accepts every path of a URL, and refuses some names only here. */
function databaseOf(client: MongoClient, name: string | undefined): Db {
  try {
    return client.db(name);
  } catch (error) {
    throw new StoreError('UNSUPPORTED', `not the name of a database: ${(error as Error).message}`);
  }
}
