import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { ConnectionPool, Lane } from './connection-pool.ts';
import { Failure, failureOf, type FailureCode } from './failure.ts';
import type { Target } from './judge-url.ts';
import { lossyText } from './lossy-text.ts';

/** What came of a request: an answer of any status, or the reason why there is none. */
export type Exchange =
  | {
      status: number;
      headers: { 'retry-after'?: string; 'content-type'?: string };
      /** The beginning of the answer. */
      body: string;
      durationMs: number;
    }
  | { error: FailureCode; message: string; durationMs: number };

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** On whose behalf. Look-ups of one account don't delay those of others; those without one share a bound. */
  accountId?: string;
  /** For all of it: look-up, connection, sending, the answer with its body. Default 10 000. */
  timeoutMs?: number;
  /** For look-up and connection. Default 3000. */
  connectTimeoutMs?: number;
  /** Where reading ends; the status counts nevertheless. Default 65 536. */
  maxResponseBytes?: number;
  /** How much of the answer is kept. Default 4096. */
  keepResponseBytes?: number;
  /** Gives up: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Sends one request on a lane of the pool and collects the answer; the lane goes back there, or is dropped. */
export function exchange(options: {
  pool: ConnectionPool;
  target: Target;
  request: PostRequest;
}): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    new RunningExchange(options, resolve, reject).send();
  });
}

class RunningExchange implements Dispatcher.DispatchHandler {
  readonly #pool: ConnectionPool;
  readonly #lane: Lane;
  readonly #request: PostRequest;
  readonly #path: string;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #startedAt = performance.now();
  readonly #maxBytes: number;
  readonly #keepBytes: number;
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#giveUp(this.#request.signal?.reason);

  #isOver = false;
  #status = 0;
  #headers: { 'retry-after'?: string; 'content-type'?: string } = {};
  #kept: Buffer[] = [];
  #readBytes = 0;

  constructor(
    options: { pool: ConnectionPool; target: Target; request: PostRequest },
    resolve: (exchange: Exchange) => void,
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
    // Cheaper than an AbortSignal by far: Node keeps timers of one duration in one list.
    this.#deadline = setTimeout(() => {
      this.#fail(new Failure('timeout', `no whole answer within ${timeoutMs} ms`));
    }, timeoutMs);
    if (request.signal) {
      // One signal may end hundreds of exchanges, which is no leak.
      setMaxListeners(0, request.signal);
      request.signal.addEventListener('abort', this.#onAbort);
    }
    this.#path = target.url.pathname + target.url.search;
    this.#lane = pool.take(target, { connectTimeoutMs, accountId });
  }

  send(): void {
    const { headers, body } = this.#request;
    this.#lane.client.dispatch({ method: 'POST', path: this.#path, headers, body }, this);
  }

  /** Its presence tells undici which kind of handler this is. */
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
    if (this.#readBytes >= this.#maxBytes) this.#answer({ keepLane: false });
  }

  onResponseEnd(): void {
    this.#answer({ keepLane: true });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = failureOf(error);
    if (failure) this.#fail(failure);
    else this.#giveUp(error);
  }

  #answer({ keepLane }: { keepLane: boolean }): void {
    if (!this.#end(keepLane)) return;
    const body = lossyText(Buffer.concat(this.#kept), this.#keepBytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body, durationMs: this.#durationMs() });
  }

  #fail({ code, message }: Failure): void {
    if (!this.#end(false)) return;
    this.#resolve({ error: code, message, durationMs: this.#durationMs() });
  }

  #giveUp(reason: unknown): void {
    if (this.#end(false)) this.#reject(reason);
  }

  /** Whether this was the end, and not something that came after it. */
  #end(keepLane: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    if (keepLane) this.#pool.giveBack(this.#lane);
    else this.#pool.drop(this.#lane);
    return true;
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}
