import type { SvcForms } from './client.ts';
import {
  APIStatusError,
  ApprovalCancelledError,
  ApprovalError,
  ApprovalExpiredError,
  ApprovalRejectedError,
  ApprovalUsedError,
} from './errors.ts';
import { hexOf } from './secrets.ts';
import type { Task, TaskInput } from './types.ts';

const SHORTEST_EXPIRY_MS = 60_000;
const LONGEST_VALUE = 500;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

type Arguments = Readonly<Record<string, unknown>>;
type OfCall<A, T> = T | ((args: A) => T);

/** Options of `requireApproval`. Functions get the arguments of the call. */
export interface ApprovalOptions<A> extends Pick<
  TaskInput,
  'assignee' | 'policy' | 'priority' | 'rejectOptions' | 'requireComment' | 'templateId'
> {
  /** Name of the function in the task and in the dedupe key. Bundlers change the function's own. */
  name: string;
  /** The question. Default: the function's name. */
  title?: OfCall<A, string>;
  /** Context for the reviewer, as Markdown. Default: the call with its arguments. */
  description?: OfCall<A, string>;
  /** Field name → value. Default: the `editableFields` with the values of their arguments. */
  prefill?: OfCall<A, object>;
  /**
   * Arguments that the reviewer may edit. The form needs fields with the same names. The function
   * runs with the approved values. One that the reviewer cleared is `undefined`, or `''` if the
   * argument was a string.
   */
  editableFields?: readonly (keyof A & string)[];
  /**
   * Milliseconds to wait. The task expires at the same time, but after a minute at the earliest.
   * Default: until the resolution; the task expires after a week.
   */
  timeoutMs?: number;
  /**
   * Calls with the same key share one task and its resolution, so a restarted program finds its
   * task. `arguments` (the default) derives the key from the function's name, its arguments (which
   * must be JSON values) and the question. A function returns your own key; the server refuses the
   * same key for another question. null creates a task for every call.
   */
  dedupeKey?: 'arguments' | ((args: A) => string) | null;
  /**
   * Binds the approval to the name and the arguments, which must be JSON values, and lets the
   * function run once. The reviewer sees the arguments as they will run, so nobody can edit them.
   * Right before the function runs, the call redeems the receipt of the approval.
   */
  once?: boolean;
  /** The signal of calls that have none of their own. */
  signal?: AbortSignal | undefined;
}

/** Options of one call of a function that requires approval. */
export interface CallOptions {
  /**
   * Ends the wait. The call rejects with the signal's reason. The task stays open, and the next
   * call with the same key waits for it again.
   */
  signal?: AbortSignal | undefined;
}

/**
 * Returns a function that creates a task for each call and runs `run` only after a human approves
 * it.
 *
 * A call rejects with `ApprovalRejectedError`, `ApprovalExpiredError` or `ApprovalCancelledError`
 * if nobody approves, with `ApprovalUsedError` (with `once`) if an earlier call has used the
 * approval, with `ApprovalError` (with `once`) if the approval is older than 24 hours, with
 * `TaskTimeoutError` if the timeout is shorter than a minute and ended before the task expired, or
 * if the server was unavailable when it expired, with `DedupeKeyReusedError` if your own key
 * belongs to a task with another question, and with `TypeError` if an argument isn't a JSON value
 * and `dedupeKey` is the default or `once` is set.
 *
 * @throws TypeError if there are `editableFields` with `once`.
 *
 * @example
 * const refund = requireApproval(
 *   client,
 *   async (call: { order: string; amount: number }) => { … },
 *   { name: 'refund', templateId, title: 'Refund?', editableFields: ['amount'] },
 * );
 * await refund({ order: 'A-17', amount: 120 });
 */
export function requireApproval<A extends object, R>(
  client: SvcForms,
  run: (args: A) => R | Promise<R>,
  options: ApprovalOptions<A>,
): ((args: A) => Promise<R>) & ((args: A, options?: CallOptions) => Promise<R>) {
  const { name, templateId, policy, editableFields = [], timeoutMs, dedupeKey = 'arguments', once } = options;
  if (once && editableFields.length) throw new TypeError(`${name}: once allows no editableFields`);
  const expiryMs = Math.max(SHORTEST_EXPIRY_MS, timeoutMs ?? 0);
  // If the task expires at the timeout, the expiry ends the wait, so that the caller hears of it.
  // The task is created after the wait has started.
  const waitMs = expiryMs === timeoutMs ? timeoutMs + 30_000 : timeoutMs;

  return async (args: A, call?: CallOptions | null) => {
    // A copy, because the caller may change its own before the function runs.
    if (once) args = JSON.parse(canonical(name, 'the arguments', args)) as A;
    const ofCall = <T>(value: OfCall<A, T> | undefined): T | undefined =>
      typeof value === 'function' ? (value as (args: A) => T)(args) : value;
    const question = {
      templateId,
      title: ofCall(options.title) ?? `Run ${name}?`,
      description: ofCall(options.description) ?? formatCall(name, args as Arguments),
      prefill:
        ofCall(options.prefill) ?? Object.fromEntries(editableFields.map((field) => [field, args[field]])),
      editableFields: [...editableFields],
      // Absent by default, so that derived keys of earlier versions stay the same.
      policy,
      action: once ? { tool: name, args } : undefined,
    };
    const key =
      dedupeKey === 'arguments' ? await derivedKey(name, args, question) : (dedupeKey?.(args) ?? undefined);
    const { assignee, priority, rejectOptions, requireComment } = options;
    // JSON leaves out what is undefined.
    const input = {
      ...question,
      assignee,
      priority,
      rejectOptions,
      requireComment,
      dedupeKey: key,
      expiresInSeconds: timeoutMs === undefined ? undefined : Math.ceil(expiryMs / 1000),
    } as TaskInput;
    const task = await client.tasks.requestAndWait(input, {
      timeoutMs: waitMs,
      signal: call?.signal ?? options.signal,
    });
    checkApproved(name, task);
    if (once) await redeem(client, name, task, args);
    const approved = (task.formData ?? {}) as Partial<A>;
    const edited = editableFields
      .filter((field) => field in approved)
      // The reviewer cleared the field.
      .map((field) => [
        field,
        approved[field] === '' && typeof args[field] !== 'string' ? undefined : approved[field],
      ]);
    return run({ ...args, ...(Object.fromEntries(edited) as Partial<A>) });
  };
}

const FAILURES: Readonly<Record<string, typeof ApprovalError>> = {
  rejected: ApprovalRejectedError,
  expired: ApprovalExpiredError,
  cancelled: ApprovalCancelledError,
};

function checkApproved(name: string, task: Task): void {
  if (task.status === 'approved') return;
  const Kind = FAILURES[task.status] ?? ApprovalError;
  const resolution = task.status === 'expired' ? 'not approved in time' : task.status;
  const reasons = [task.rejectOption, task.comment].filter(Boolean).join('; ');
  throw new Kind(`${name} was ${resolution} (task ${task.id})${reasons ? `: ${reasons}` : ''}`, task);
}

/**
 * Redeems the receipt of an approval. No signal ends this: it could use up the approval of a call
 * that doesn't run.
 */
async function redeem(client: SvcForms, name: string, task: Task, args: object): Promise<void> {
  try {
    await client.receipts.redeem(task.receipt ?? '', args);
  } catch (error) {
    if (!(error instanceof APIStatusError && /RECEIPT|ACTION_CHANGED/.test(error.code ?? ''))) throw error;
    const Kind = error.code === 'RECEIPT_REDEEMED' ? ApprovalUsedError : ApprovalError;
    throw new Kind(`${name} did not run (task ${task.id}): ${error.message}`, task);
  }
}

/**
 * Derives a key that is the same in every process for the same function, arguments and question.
 */
async function derivedKey(name: string, args: object, question: Arguments): Promise<string> {
  const parts = [name, canonical(name, 'the arguments', args), canonical(name, 'the question', question)];
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return `call-${hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return [null, Object.prototype].includes(Object.getPrototypeOf(value) as object | null);
}

/** The entries, sorted by key. */
function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * JSON with sorted keys. It refuses what JSON would change, because different calls would get the
 * same key.
 */
function canonical(name: string, where: string, value: unknown): string {
  const isScalar = value === null || typeof value === 'string' || typeof value === 'boolean';
  if (isScalar || Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(name, where, one)).join(',')}]`;
  if (!isPlain(value))
    throw new TypeError(
      `${name}: ${where} contain a value that is not JSON; pass a function or null as dedupeKey, without once`,
    );
  const members = entriesOf(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(name, where, member)}`);
  return `{${members.join(',')}}`;
}

/**
 * Formats the call as an indented Markdown code block, which no argument can close. The server
 * compares the text, so neither the order of the arguments nor that of keys inside them counts.
 */
function formatCall(name: string, args: Arguments): string {
  const lines = entriesOf(args).map(([key, value]) => {
    const line = `${shortened(IDENTIFIER.test(key) ? key : JSON.stringify(key))}: ${shortened(textOf(value))},`;
    return `        ${line.replace(/\s+/g, ' ')}`;
  });
  return [`    ${name}({`, ...lines, '    })'].join('\n');
}

function shortened(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  // The API refuses half of a surrogate pair.
  const start = text.slice(0, LONGEST_VALUE).replace(/[\uD800-\uDBFF]$/, '');
  return `${start}… (${text.length} characters)`;
}

function textOf(value: unknown): string {
  try {
    // Parsed first, because a copy of each object in a cycle would never end.
    return JSON.stringify(JSON.parse(JSON.stringify(value)), (_, inner: unknown) =>
      isPlain(inner) ? Object.fromEntries(entriesOf(inner)) : inner,
    );
  } catch {
    // A cycle, a BigInt, or a value that has no JSON
    return String(value);
  }
}
