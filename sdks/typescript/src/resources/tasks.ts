import { APIConnectionError, APIStatusError } from '../errors.ts';
import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData, readList } from '../http/responses.ts';
import { isTransient } from '../http/retry.ts';
import { firstLine, sleep, type Transport } from '../http/transport.ts';
import { isResolved, TaskWait } from '../task-wait.ts';
import type {
  CreateOptions,
  DecisionInput,
  DelegateInput,
  QueryOf,
  RequestOptions,
  Task,
  TaskCreated,
  TaskHistoryEntry,
  TaskInput,
  WaitOptions,
} from '../types.ts';

/**
 * `client.tasks`: approvals by humans. Scopes: `tasks:create`, `tasks:read`, `tasks:decide`,
 * `tasks:manage`.
 */
export class Tasks {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a task without waiting for its resolution. A second request with the same `dedupeKey`
   * always returns the first task.
   * @throws DedupeKeyReusedError if the template, title, description, prefill, editable fields,
   * decision mode, action or policy of that task differs.
   */
  async create(task: TaskInput, options?: CreateOptions): Promise<TaskCreated> {
    return this.#create(api.create('/api/mcp/tasks', task, options));
  }

  async #create(request: api.ApiRequest): Promise<TaskCreated> {
    const response = await this.#transport.send(request);
    return { ...readData<Task>(response), eventCursor: response.headers.get('svc-event-cursor') };
  }

  /** Lists tasks, newest first by default. */
  list(query?: QueryOf<'listTasks'>, options?: RequestOptions): Pager<Task> {
    return new Pager(this.#transport, api.get('/api/mcp/tasks', query, options));
  }

  /** Returns one task. */
  async get(taskId: string, options?: RequestOptions): Promise<Task> {
    return readData(await this.#transport.send(api.get(pathOf(taskId), undefined, options)));
  }

  /**
   * Waits until the task is resolved: approved, rejected, submitted, expired or cancelled. The wait
   * survives server restarts and broken connections.
   * @throws TaskTimeoutError if the task isn't resolved yet; `error.task` is its last known state.
   * @throws APIConnectionError if the server didn't respond to the first request and its retries.
   */
  async waitFor(taskId: string, options: WaitOptions = {}): Promise<Task> {
    return this.#wait(taskId, options, null);
  }

  async #wait(taskId: string, options: WaitOptions, known: Task | null): Promise<Task> {
    const { signal, maxRetries = this.#transport.maxRetries } = options;
    const wait = new TaskWait(taskId, { ...options, maxRetries }, known);
    for (;;) {
      let delay: number;
      try {
        const task = readData<Task>(await this.#transport.send(wait.nextRequest()));
        if (wait.isOver(task)) return task;
        delay = wait.delay();
      } catch (error) {
        const isRefusal = error instanceof APIStatusError && isTransient(error);
        if (!isRefusal && !(error instanceof APIConnectionError)) throw error;
        delay = wait.delayAfter(error);
        this.#transport.log(
          `waiting for task ${taskId}: ${firstLine(error)}; retrying in ${Math.round(delay)} ms`,
        );
      }
      await sleep(delay, signal);
    }
  }

  /**
   * Creates a task and waits for its resolution. With a `dedupeKey`, a restarted program finds its
   * earlier task.
   * @throws TaskTimeoutError if the task isn't resolved yet. Pass `error.task.id` to `waitFor` to
   * wait again.
   * @throws APIConnectionError if the server didn't respond to the creation within the timeout, or
   * 5 seconds if that is longer.
   */
  async requestAndWait(
    task: TaskInput,
    { timeoutMs = Infinity, ...options }: WaitOptions & { idempotencyKey?: string | undefined } = {},
  ): Promise<Task> {
    const deadline = performance.now() + timeoutMs;
    const created: Task = await this.#create({ ...api.create('/api/mcp/tasks', task, options), deadline });
    if (isResolved(created)) return created;
    return this.#wait(created.id, { ...options, timeoutMs: deadline - performance.now() }, created);
  }

  /**
   * Claims a task, so that nobody else can decide it for 15 minutes.
   * @throws TaskClaimedError if somebody else has claimed the task.
   */
  async claim(taskId: string, options?: RequestOptions): Promise<Task> {
    // Not retryable: the server refuses a second claim, even from the holder of the first.
    return readData(await this.#transport.send(api.act(pathOf(taskId, '/claim'), undefined, options)));
  }

  /** Releases a claimed task. */
  async release(taskId: string, options?: RequestOptions): Promise<Task> {
    const request = api.act(pathOf(taskId, '/release'), undefined, options, { isRetryable: true });
    return readData(await this.#transport.send(request));
  }

  /**
   * Decides a task: `submitted` in form mode; `approved` or `rejected` in approval mode. With a
   * policy, this is a vote, and the returned task can still be awaiting. The client doesn't retry
   * this: after an `APIConnectionError`, check the task with `get`.
   * @throws TaskAlreadySettledError if the task is already resolved.
   * @throws TaskExpiredError if the task has expired.
   * @throws TaskClaimedError if somebody else has claimed the task.
   * @throws ConflictError if a vote changed the values since `valuesDigest`.
   * @throws NotAReviewerError if the policy of the task doesn't let the caller vote.
   * @throws UnprocessableError if a field isn't editable, or a value is invalid.
   */
  async decide(taskId: string, decision: DecisionInput, options?: RequestOptions): Promise<Task> {
    return readData(await this.#transport.send(api.act(pathOf(taskId, '/decision'), decision, options)));
  }

  /**
   * Hands your vote on a task with a policy to somebody else.
   * @throws NotAReviewerError if the policy of the task doesn't let the caller vote.
   */
  async delegate(taskId: string, body: DelegateInput, options?: RequestOptions): Promise<Task> {
    return readData(await this.#transport.send(api.act(pathOf(taskId, '/delegate'), body, options)));
  }

  /**
   * Cancels a task. A second cancellation changes nothing. Needs `tasks:manage`, or `tasks:create`
   * for tasks that this key created.
   */
  async cancel(taskId: string, body: { reason?: string } = {}, options?: RequestOptions): Promise<Task> {
    const request = api.act(pathOf(taskId, '/cancel'), body, options, { isRetryable: true });
    return readData(await this.#transport.send(request));
  }

  /** Deletes a task and its submission, and erases their values. */
  async delete(taskId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(pathOf(taskId), options));
  }

  /**
   * Sends the callback again. Needs `tasks:manage`, or `tasks:create` for tasks that this key
   * created.
   */
  async redeliverCallback(taskId: string, options?: RequestOptions): Promise<Task> {
    const request = api.act(pathOf(taskId, '/callback/redeliver'), undefined, options);
    return readData(await this.#transport.send(request));
  }

  /** Returns the task's activity, oldest first. */
  async history(taskId: string, options?: RequestOptions): Promise<TaskHistoryEntry[]> {
    return readList(await this.#transport.send(api.get(pathOf(taskId, '/history'), undefined, options)));
  }
}

function pathOf(taskId: string, rest = ''): string {
  return api.path(`/api/mcp/tasks/{}${rest}`, taskId);
}
