import {
  AppError,
  newId,
  TASK_LIFETIME,
  TASK_PRIORITIES,
  validationFailed,
  type Issue,
  type TaskIn,
} from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Guard } from '@svcforms/outbound';
import { pendingEvents, type Outbox } from '@svcforms/outbox';
import {
  callbackSecretContext,
  erasedDedupe,
  insertOnce,
  isErased,
  TASK_CREATION_EVENTS,
  type FormRecord,
  type TaskRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { Actor } from './actor.ts';
import { unapprovableIssues } from './approvable.ts';
import { erasedError } from './refusals.ts';
import { differences, hashOfPrefill } from './same-request.ts';
import { checkEditableFields, checkPrefill } from './task-values.ts';

export interface CreateTaskDeps {
  tasks: Collection<TaskRecord>;
  forms: Collection<FormRecord>;
  users: Collection<UserRecord>;
  guard: Guard;
  secretBox: Pick<SecretBox, 'seal'>;
  outbox: Pick<Outbox<TaskRecord>, 'publish'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface CreatedTask {
  task: TaskRecord;
  /** Not one that an earlier request with the same dedupeKey made. */
  isNew: boolean;
}

/**
 * Creates a task. A request with the same `dedupeKey` that asks for the same gives the first task.
 * @throws AppError `INSUFFICIENT_SCOPE` (an outcome by expiry), `DEDUPE_KEY_REUSED` (the key's task asks for something else),
 * `NOT_FOUND` (no such form), `VALIDATION_FAILED`
 */
export function createTaskCreation(deps: CreateTaskDeps) {
  const { tasks, forms, users, guard, secretBox, outbox, now } = deps;

  return async function createTask(actor: Actor, input: TaskIn, id = newId('tsk')): Promise<CreatedTask> {
    checkOnExpiry(actor, input);
    const dedupe = input.dedupeKey === undefined ? undefined : `${actor.accountId}|${input.dedupeKey}`;
    const first = dedupe === undefined ? null : await findFirst(dedupe);
    if (first) return resume(first, input);

    const form = await forms.findOne({ _id: input.templateId, accountId: actor.accountId, deletedAt: null });
    if (!form) throw new AppError('NOT_FOUND', `There is no form ${input.templateId}`);
    const made = await makeTask(actor, input, { form, id, dedupe });
    try {
      const stored = await insertOnce(tasks, made);
      if (isErased(stored)) throw erasedError();
      if (stored === made) outbox.publish(made);
      return { task: stored, isNew: true };
    } catch (error) {
      const other = dedupe !== undefined && isDuplicateKey(error) ? await findFirst(dedupe) : null;
      if (!other) throw error;
      return resume(other, input);
    }
  };

  /** The task that has the dedupe key. @throws AppError `ERASED` */
  async function findFirst(dedupe: string): Promise<TaskRecord | null> {
    const first = await tasks.findOne({ dedupe: { $in: [dedupe, erasedDedupe(dedupe)] } });
    if (first && isErased(first)) throw erasedError();
    return first;
  }

  /** The task of the dedupe key, for a request that asks for the same. */
  async function resume(task: TaskRecord, input: TaskIn): Promise<CreatedTask> {
    const form = await forms.findOne({ _id: task.formId, deletedAt: null });
    const differing = differences(task, input, form?.fields);
    if (differing.length === 0) return { task, isNew: false };
    const message = `belongs to a task with a different ${differing.join(', ')}; use another key to create a new task`;
    throw new AppError('DEDUPE_KEY_REUSED', `This dedupeKey ${message}`, {
      issues: [{ pointer: '/dedupeKey', message }],
    });
  }

  async function makeTask(
    actor: Actor,
    input: TaskIn,
    { form, id, dedupe }: { form: FormRecord; id: string; dedupe: string | undefined },
  ): Promise<TaskRecord> {
    const at = now();
    const createdAt = new Date(at).toISOString();
    const expiry = expiryOf(input, at);
    const prefill = checkPrefill(form.fields, input.prefill);
    const assignee = await findAssignee(actor.accountId, input.assignee);
    const issues = [
      ...('issues' in prefill ? prefill.issues : []),
      ...checkEditableFields(form.fields, input.editableFields ?? []),
      ...('issue' in expiry ? [expiry.issue] : []),
      ...('issue' in assignee ? [assignee.issue] : []),
      ...(await targetIssues(actor.accountId, input.callbackUrl)),
    ];
    if (issues.length > 0 || 'issues' in prefill || 'issue' in expiry || 'issue' in assignee) {
      throw validationFailed(issues);
    }
    const obstacles = unapprovableIssues(form.fields, prefill.values, input);
    if (obstacles.length > 0) throw validationFailed(obstacles);
    const { callbackUrl: url, callbackSecret: secret } = input;
    return {
      _id: id,
      accountId: actor.accountId,
      formId: form._id,
      ...definedOf(input, ['title', 'description', 'editableFields', 'requireComment', 'rejectOptions']),
      prefill: JSON.stringify(prefill.values),
      decisionMode: input.decisionMode,
      priority: input.priority,
      rank: TASK_PRIORITIES.indexOf(input.priority),
      status: 'awaiting',
      createdBy: actor.by,
      ...(assignee.id === undefined ? {} : { assignee: assignee.id }),
      userId: assignee.id ?? (await userFor(actor)),
      expiresAt: expiry.at,
      dueAt: expiry.at,
      onExpiry: input.onExpiry,
      ...(url === undefined
        ? {}
        : {
            callback: {
              url,
              ...(secret === undefined ? {} : { secret: secretBox.seal(secret, callbackSecretContext(id)) }),
              state: 'pending',
              attempts: [],
            },
          }),
      ...(dedupe === undefined ? {} : { dedupe, prefillHash: hashOfPrefill(input.prefill) }),
      metadata: JSON.stringify(input.metadata),
      history: [{ at: createdAt, event: 'created', by: actor.by }],
      createdAt,
      ...pendingEvents(TASK_CREATION_EVENTS, {
        of: id,
        timestamp: createdAt,
        requestId: actor.requestId,
      }),
    };
  }

  async function targetIssues(accountId: string, url: string | undefined): Promise<Issue[]> {
    const refusal = url === undefined ? null : await guard.checkTarget(url, accountId);
    return refusal ? [{ pointer: '/callbackUrl', message: refusal.message }] : [];
  }

  /** By id or by e-mail. */
  async function findAssignee(
    accountId: string,
    wanted: string | undefined,
  ): Promise<{ id: string | undefined } | { issue: Issue }> {
    if (wanted === undefined) return { id: undefined };
    const user = await users.findOne({ accountId, $or: [{ _id: wanted }, { email: wanted.toLowerCase() }] });
    if (user) return { id: user._id };
    return {
      issue: { pointer: '/assignee', message: 'must be the id or the e-mail of a user of the account' },
    };
  }

  /** contract: tasks.md: who created the task, else the account's owner; always a text. */
  async function userFor({ accountId, by }: Actor): Promise<string> {
    if (by.startsWith('usr_')) return by;
    const owner = await users.findOne({ accountId, role: 'owner' }, { sort: ['createdAt', '_id'] });
    return owner?._id ?? by;
  }
}

/**
 * Whoever sets what happens without a decision decides. So it takes the scope of deciding.
 * @throws AppError `INSUFFICIENT_SCOPE`
 */
function checkOnExpiry({ mayDecide }: Actor, { onExpiry }: TaskIn): void {
  if (onExpiry === 'expire' || mayDecide) return;
  throw new AppError(
    'INSUFFICIENT_SCOPE',
    `onExpiry "${onExpiry}" decides the task when nobody else does; that needs the scope tasks:decide`,
    { members: { requiredScope: 'tasks:decide' } },
  );
}

function expiryOf(input: TaskIn, now: number): { at: string } | { issue: Issue } {
  if (input.expiresAt === undefined) {
    const seconds = input.expiresInSeconds ?? TASK_LIFETIME.default;
    return { at: new Date(now + seconds * 1000).toISOString() };
  }
  const time = Date.parse(input.expiresAt);
  const { min, max } = TASK_LIFETIME;
  return time >= now + min * 1000 && time <= now + max * 1000
    ? { at: input.expiresAt }
    : {
        issue: {
          pointer: '/expiresAt',
          message: `must be at least ${min} seconds from now, and at most a year`,
        },
      };
}

function definedOf<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as {
    [P in K]?: Exclude<T[P], undefined>;
  };
}
