import { APIConnectionError, APITimeoutError, UnexpectedAnswerError, type SvcFormsError } from '../errors.ts';
import { VERSION, type ClientOptions, type Fetch, type Logger, type Settings } from '../settings.ts';
import type { ApiRequest } from './request.ts';
import { statusError, type ApiResponse } from './responses.ts';
import { isInProgress, retryDelay, wasRefused, type Failure } from './retry.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 4;
/** An attempt that starts just before the deadline of its request may take this long. */
const SHORTEST_TIMEOUT_MS = 5000;
/** Timers fire at once after longer delays. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Not in a header: control characters, and characters beyond a byte. */
const UNSENDABLE = /[^\t -~\x80-\xff]/;
/** Codes of Node.js and Bun for requests that certainly didn't reach the server. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);

/** A response whose body is read in chunks. */
export interface StreamedResponse {
  /**
   * Returns the next chunk, or null at the end of the body.
   * @throws APIConnectionError if the connection broke.
   */
  next(): Promise<Uint8Array | null>;
  /** Closes the connection. */
  close(): void;
}

type Outcome = { response: Response; body: string | null; attempt: Attempt } | Failure;

/** Sends requests to one server and retries them. */
export class Transport {
  readonly #settings: Settings;
  readonly #fetch: Fetch;
  readonly #logger: Logger | undefined;
  readonly #timeoutMs: number;
  /** Of requests that have no number of their own. */
  readonly maxRetries: number;

  constructor(settings: Settings, options: ClientOptions) {
    this.#settings = settings;
    // Browsers refuse a `fetch` whose `this` isn't the global object.
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#logger = options.logger;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.maxRetries = options.maxRetries ?? DEFAULT_RETRIES;
  }

  /**
   * Returns the successful response with its whole body.
   * @throws APIStatusError if the server refused the request.
   * @throws APIConnectionError if the server didn't respond.
   * @throws UnexpectedAnswerError if the response to a deletion isn't the server's.
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const { response, body } = await this.#send(request, false);
    const unexpected = this.#unexpected(request, response);
    // A proxy or another server can respond with a page and delete nothing.
    if (request.method === 'DELETE' && response.ok && response.status !== 204)
      throw unexpected('instead of 204');
    return { headers: response.headers, body: body ?? '', unexpected };
  }

  /**
   * Returns the successful response of a content type before its body is read. The caller closes
   * it.
   * @throws UnexpectedAnswerError if it has another content type.
   */
  async open(request: ApiRequest, contentType: string): Promise<StreamedResponse> {
    const { response, attempt } = await this.#send(request, true);
    if (!response.headers.get('content-type')?.startsWith(contentType)) {
      attempt.end();
      throw this.#unexpected(request, response)(`without ${contentType}`);
    }
    const reader = response.body?.getReader();
    return {
      async next() {
        const chunk = await attempt.run(async () => reader?.read());
        return chunk === undefined || chunk.done ? null : chunk.value;
      },
      close: () => attempt.end(),
    };
  }

  /** Writes a line to the log. */
  log(line: string): void {
    this.#logger?.info(`svcforms: ${line}`);
  }

  #unexpected({ method, path }: ApiRequest, { status }: Response): ApiResponse['unexpected'] {
    return (problem) =>
      new UnexpectedAnswerError(
        `${method} ${path} returned ${status} ${problem}. Check that ${new URL(this.#settings.baseUrl).origin} is the ` +
          'right server and that this package is up to date',
      );
  }

  async #send(
    request: ApiRequest,
    isStreamed: boolean,
  ): Promise<{ response: Response; body: string | null; attempt: Attempt }> {
    const { maxRetries = this.maxRetries, deadline = Infinity } = request;
    /** The start of the last attempt that the server may still process. */
    let runningSince: number | null = null;
    for (let attempts = 1; ; attempts++) {
      const started = performance.now();
      const outcome = await this.#attempt(request, isStreamed);
      let failure: Failure;
      if ('response' in outcome) {
        const { response, body } = outcome;
        if (response.ok) return outcome;
        if (request.method === 'DELETE' && response.status === 404 && runningSince !== null) return outcome;
        failure = {
          error: statusError(response, body ?? '', this.#settings.baseUrl + request.path),
          reachedServer: true,
        };
      } else failure = outcome;
      if (!wasRefused(failure)) runningSince = started;
      // Another call has the same idempotency key.
      else if (isInProgress(failure.error)) runningSince ??= started;
      const runningMs = performance.now() - (runningSince ?? started);
      const delay = retryDelay(request, failure, { maxRetries, attempts, runningMs });
      if (delay === null || performance.now() + delay > deadline) throw failure.error;
      this.log(
        `${request.method} ${request.path}: ${firstLine(failure.error)}; retrying in ${Math.round(delay)} ms`,
      );
      await sleep(delay, request.signal);
    }
  }

  async #attempt(request: ApiRequest, isStreamed: boolean): Promise<Outcome> {
    const { method, path, body, signal, deadline = Infinity } = request;
    const headers = {
      Authorization: `Bearer ${this.#settings.apiKey}`,
      'User-Agent': `svcforms-typescript/${VERSION}`,
      ...request.headers,
    };
    checkHeaders(headers);
    // An invalid time is no failed attempt.
    const url = this.#urlOf(request);
    signal?.throwIfAborted();
    const started = performance.now();
    const name = `${method} ${path}`;
    const remaining = Math.max(SHORTEST_TIMEOUT_MS, Math.ceil(deadline - started));
    const attempt = new Attempt(name, Math.min(request.timeoutMs ?? this.#timeoutMs, remaining), signal);
    try {
      const { response, text } = await attempt.run(async () => {
        const response = await this.#fetch(url, {
          method,
          headers,
          redirect: 'manual',
          signal: attempt.signal,
          ...(body === undefined ? {} : { body }),
        });
        return { response, text: isStreamed && response.ok ? null : await response.text() };
      });
      this.#logger?.debug(
        `svcforms: ${name}: ${response.status} in ${Math.round(performance.now() - started)} ms ` +
          `(request ${response.headers.get('x-request-id') ?? '?'})`,
      );
      if (text !== null) attempt.end();
      return { response, body: text, attempt };
    } catch (error) {
      attempt.end();
      signal?.throwIfAborted();
      return {
        error: error as SvcFormsError,
        reachedServer: !codesOf((error as SvcFormsError).cause).some((code) => NEVER_SENT.has(code)),
      };
    }
  }

  #urlOf({ path, query = {} }: ApiRequest): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one === undefined || one === null) continue;
        parameters.append(name, one instanceof Date ? one.toISOString() : String(one));
      }
    }
    const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
    return this.#settings.baseUrl + path + search;
  }
}

/**
 * The runtimes refuse such headers late, and as a failed connection.
 * @throws TypeError without the value, which may be a token.
 */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    // fetch itself removes white space around a value, such as the line break of a file with a
    // token.
    if (UNSENDABLE.test(value.trim()))
      throw new TypeError(`${name} contains invalid characters; check for line breaks`);
}

/** One attempt: its connection ends at the caller's signal, and when it is silent for too long. */
class Attempt {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.#controller.abort(this.#caller?.reason);

  constructor(name: string, timeoutMs: number, caller: AbortSignal | undefined) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    // AbortSignal.any keeps its signals in memory as long as the caller's lives.
    caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for a step of the attempt.
   * @throws APITimeoutError if it takes longer than the timeout.
   * @throws APIConnectionError if the connection broke.
   */
  async run<T>(step: () => Promise<T>): Promise<T> {
    let isTooLate = false;
    const timer = setTimeout(
      () => {
        isTooLate = true;
        this.#controller.abort();
      },
      Math.min(this.#timeoutMs, LONGEST_TIMER_MS),
    );
    try {
      return await step();
    } catch (error) {
      this.#caller?.throwIfAborted();
      if (isTooLate)
        throw new APITimeoutError(`${this.#name}: no response within ${this.#timeoutMs} ms`, {
          cause: error,
        });
      throw new APIConnectionError(`${this.#name}: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connection, if the body isn't at its end. */
  end(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }
}

/**
 * Waits.
 * @throws the reason of the signal, when it aborts.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The first line of the error, for the log. */
export function firstLine(error: Error): string {
  return String(error).split('\n', 1)[0] ?? '';
}

/** The message of `fetch` alone says little; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ') || String(error);
}

/** The codes of an error, of its causes, and of each address that was tried. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner = [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].flatMap(codesOf);
  return typeof code === 'string' ? [code, ...inner] : inner;
}
