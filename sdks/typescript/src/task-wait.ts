import { APIStatusError, TaskTimeoutError, type SvcFormsError } from './errors.ts';
import * as api from './http/request.ts';
import { backoff, requestedDelay } from './http/retry.ts';
import type { Task, WaitOptions } from './types.ts';

/**
 * Seconds that one request waits. The server accepts up to 55; many proxies close connections after
 * 60.
 */
const LONGEST_WAIT_S = 50;
/** How much longer than the requested wait a response may take. */
const GRACE_MS = 5000;
const LONGEST_DELAY_MS = 3000;

/** Whether the task is resolved: decided, expired or cancelled. */
export function isResolved(task: Task): boolean {
  return task.status !== 'awaiting';
}

/**
 * One wait for a task, with its deadline. The server holds the request until the task is resolved.
 */
export class TaskWait {
  readonly #path: string;
  readonly #timeoutMessage: string;
  readonly #deadline: number;
  readonly #signal: AbortSignal | undefined;
  readonly #maxRetries: number;
  #task: Task | null;
  /** Whether the server, or a proxy in front of it, has responded. */
  #isReached: boolean;
  #isFirst = false;
  #failures = 0;
  #waitS = 0;
  #sentAt = 0;

  /** `maxRetries`: of a server that never responded. `task`: its state, if the caller knows it. */
  constructor(
    taskId: string,
    { timeoutMs, signal, maxRetries }: WaitOptions & { maxRetries: number },
    task: Task | null,
  ) {
    this.#path = api.path('/api/mcp/tasks/{}', taskId);
    this.#timeoutMessage = `Task ${taskId} was not resolved within the timeout`;
    this.#deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
    this.#signal = signal;
    this.#maxRetries = maxRetries;
    this.#task = task;
    this.#isReached = task !== null;
  }

  /** Builds a request that returns when the task is resolved, or at the deadline. */
  nextRequest(): api.ApiRequest {
    // The server doesn't hold the first request, which shows soon whether it is reachable.
    const longestS = this.#isReached ? LONGEST_WAIT_S : 0;
    this.#waitS = Math.trunc(Math.max(0, Math.min(longestS, this.#remainingMs() / 1000)));
    this.#sentAt = performance.now();
    const limits = { signal: this.#signal, timeoutMs: this.#waitS * 1000 + GRACE_MS };
    return { ...api.get(this.#path, { wait: this.#waitS }, limits), callerRetries: true };
  }

  /**
   * Whether this response ends the wait.
   * @throws TaskTimeoutError if the task isn't resolved at the deadline.
   */
  isOver(task: Task): boolean {
    this.#task = task;
    this.#isFirst = !this.#isReached;
    this.#isReached = true;
    this.#failures = 0;
    if (isResolved(task)) return true;
    if (this.#remainingMs() <= 0)
      throw new TaskTimeoutError(`${this.#timeoutMessage}; call waitFor to wait again`, task);
    return false;
  }

  /**
   * Returns the milliseconds until the next request: 0, unless the server didn't wait because it is
   * stopping.
   */
  delay(): number {
    const didWait =
      this.#isFirst || (this.#waitS > 0 && performance.now() - this.#sentAt > (this.#waitS - 0.5) * 1000);
    return this.#untilDeadline(didWait ? 0 : 1000);
  }

  /**
   * Returns the milliseconds until the next request, after a failed one.
   * @throws TaskTimeoutError if the deadline has passed; `task` is the last known state.
   * @throws SvcFormsError the error, if the deadline has passed and no request succeeded, or the
   * server never responded.
   */
  delayAfter(error: SvcFormsError): number {
    this.#failures += 1;
    if (this.#remainingMs() <= 0) {
      if (this.#task === null) throw error;
      const message = `${this.#timeoutMessage}, and the last request failed`;
      throw new TaskTimeoutError(message, this.#task, { cause: error });
    }
    if (error instanceof APIStatusError) this.#isReached = true;
    else if (!this.#isReached && this.#failures > this.#maxRetries) throw error;
    // Short delays, because waiting clients should get the result soon after a server restart.
    return this.#untilDeadline(requestedDelay(error) ?? Math.min(LONGEST_DELAY_MS, backoff(this.#failures)));
  }

  #remainingMs(): number {
    return this.#deadline - performance.now();
  }

  /** Limits a delay to the deadline, so that the last request happens at the deadline. */
  #untilDeadline(delay: number): number {
    return Math.max(0, Math.min(delay, this.#remainingMs()));
  }
}
