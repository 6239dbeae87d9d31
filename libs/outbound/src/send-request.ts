import { setMaxListeners } from 'node:events';
import type { TraceContext } from '@svcforms/primitives';
import type { Dispatcher } from 'undici';
import type { ConnectionPool, PooledConnection } from './connection-pool.ts';
import { Failure, failureOf, type FailureCode } from './failure.ts';
import type { Target } from './check-url.ts';
import { lossyText } from './lossy-text.ts';

/** A response with any status, or the reason why there is none. */
export type PostResult =
  | {
      status: number;
      headers: { 'retry-after'?: string; 'content-type'?: string };
      /** The beginning of the response body. */
      body: string;
      durationMs: number;
    }
  | { error: FailureCode; message: string; durationMs: number };

export interface PostRequest extends GetRequest {
  body: string | Uint8Array;
}

export interface GetRequest {
  url: string;
  headers: Record<string, string>;
  /**
   * Name lookups of one account don't delay those of others. Requests without an account share one
   * limit.
   */
  accountId?: string;
  /** Timeout for everything: lookup, connection, request and response body. Default 10 000. */
  timeoutMs?: number;
  /** Timeout for lookup and connection. Default 3000. */
  connectTimeoutMs?: number;
  /** Reading the response body stops after this; the status counts nevertheless. Default 65 536. */
  maxResponseBytes?: number;
  /** How much of the response body is kept. Default 4096. */
  keepResponseBytes?: number;
  /** For `traceClient`: the trace that the request continues, and attributes of its span. */
  span?: {
    parent: TraceContext | undefined;
    attributes: Readonly<Record<string, string | number | undefined>>;
  };
  /** Cancels the request: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Status codes of responses without a body, even if their headers announce one (RFC 9112, 6.3). */
const WITHOUT_BODY = [204, 304];

/**
 * Sends a request on a connection of the pool and collects the response. The connection is reused
 * if the response was read whole.
 */
export function sendRequest(options: {
  pool: ConnectionPool;
  target: Target;
  request: GetRequest | PostRequest;
}): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    new RunningRequest(options, resolve, reject).send();
  });
}

class RunningRequest implements Dispatcher.DispatchHandler {
  readonly #pool: ConnectionPool;
  readonly #connection: PooledConnection;
  readonly #request: GetRequest | PostRequest;
  readonly #path: string;
  readonly #resolve: (result: PostResult) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #startedAt = performance.now();
  readonly #maxBytes: number;
  readonly #keepBytes: number;
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#cancel(this.#request.signal?.reason);

  #isDone = false;
  #status = 0;
  #headers: { 'retry-after'?: string; 'content-type'?: string } = {};
  #kept: Buffer[] = [];
  #readBytes = 0;

  constructor(
    options: { pool: ConnectionPool; target: Target; request: GetRequest | PostRequest },
    resolve: (result: PostResult) => void,
    reject: (reason: unknown) => void,
  ) {
    const { pool, target, request } = options;
    const { timeoutMs = 10_000, connectTimeoutMs = 3000, accountId } = request;
    this.#pool = pool;
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxBytes = request.maxResponseBytes ?? 65_536;
    this.#keepBytes = request.keepResponseBytes ?? 4096;
    // A timer is much cheaper than an AbortSignal: Node keeps timers of one duration in one list.
    this.#deadline = setTimeout(() => {
      // First read what arrived while this process was suspended: timers run before reads.
      setImmediate(() => this.#fail(new Failure('timeout', `no complete response within ${timeoutMs} ms`)));
    }, timeoutMs);
    if (request.signal) {
      // One signal may cancel hundreds of requests; that isn't a leak.
      setMaxListeners(0, request.signal);
      request.signal.addEventListener('abort', this.#onAbort);
    }
    this.#path = target.url.pathname + target.url.search;
    this.#connection = pool.acquire(target, { connectTimeoutMs, accountId });
  }

  send(): void {
    const request = this.#request;
    const { headers } = request;
    const sent =
      'body' in request ? { method: 'POST' as const, body: request.body } : { method: 'GET' as const };
    this.#connection.client.dispatch({ ...sent, path: this.#path, headers }, this);
  }

  /** undici recognizes the kind of handler by this method. */
  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    for (const name of ['retry-after', 'content-type'] as const) {
      const value = headers[name];
      const first = Array.isArray(value) ? value[0] : value;
      if (first !== undefined) this.#headers[name] = first;
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readBytes < this.#keepBytes) this.#kept.push(chunk);
    this.#readBytes += chunk.length;
    if (this.#readBytes >= this.#maxBytes) this.#complete({ reuse: false });
  }

  onResponseEnd(): void {
    this.#complete({ reuse: true });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = failureOf(error);
    if (!failure) this.#cancel(error);
    else if (WITHOUT_BODY.includes(this.#status)) this.#complete({ reuse: false });
    else this.#fail(failure);
  }

  #complete({ reuse }: { reuse: boolean }): void {
    if (!this.#end()) return;
    const body = lossyText(Buffer.concat(this.#kept), this.#keepBytes);
    const result = { status: this.#status, headers: this.#headers, body, durationMs: this.#durationMs() };
    if (!reuse) {
      this.#pool.discard(this.#connection);
      this.#resolve(result);
      return;
    }
    // An endpoint may close the connection with its response, without saying so. Its end is read
    // after the response, so the connection is kept only then: a request on it would be lost.
    setImmediate(() => {
      this.#pool.release(this.#connection);
      this.#resolve(result);
    });
  }

  #fail({ code, message }: Failure): void {
    if (!this.#end()) return;
    this.#pool.discard(this.#connection);
    this.#resolve({ error: code, message, durationMs: this.#durationMs() });
  }

  #cancel(reason: unknown): void {
    if (!this.#end()) return;
    this.#pool.discard(this.#connection);
    this.#reject(reason);
  }

  /** Ends the request. Returns false if it has already ended. */
  #end(): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    clearTimeout(this.#deadline);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}
