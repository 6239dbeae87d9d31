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
import type { Reviewers, UserRecord } from '@svcforms/identity';
import type { Guard } from '@svcforms/outbound';
import { pendingEvents, type Outbox } from '@svcforms/outbox';
import { isoTime, type Clock } from '@svcforms/primitives';
import {
  callbackSecretContext,
  dedupeValues,
  insertOnce,
  isErased,
  TASK_CREATION_EVENTS,
  type FormRecord,
  type TaskRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { canonicalAction, digestOfAction } from './action.ts';
import type { Actor } from './actor.ts';
import { unapprovableIssues } from './approvable.ts';
import { differingMembers, hashOfPrefill } from './dedupe.ts';
import { createFindForm } from './find-form.ts';
import type { SlackOf } from './slack-channels.ts';
import { erasedError } from './task-errors.ts';
import { policyOfTask } from './policy-of-task.ts';
import { findAssignee, findTaskUser } from './task-user.ts';
import { checkEditableFields, checkPrefill } from './task-values.ts';

interface CreateTaskDeps {
  tasks: Collection<TaskRecord>;
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  users: Collection<UserRecord>;
  reviewers: Reviewers;
  guard: Guard;
  secretBox: Pick<SecretBox, 'seal'>;
  outbox: Pick<Outbox<TaskRecord>, 'publish'>;
  /** See `createSlackChannels`. */
  slackOf: SlackOf;
  now: Clock;
}

interface CreatedTask {
  task: TaskRecord;
  /** False for the task of an earlier request with the same dedupeKey. */
  isNew: boolean;
}

export type CreateTask = (
  actor: Actor,
  input: TaskIn,
  /** `cursor`: the position of the event stream, read before this call. */
  given?: { id?: string; cursor?: string | undefined },
) => Promise<CreatedTask>;

/** What a task has besides its request. */
interface TaskParts {
  form: FormRecord;
  id: string;
  dedupe: string | undefined;
  cursor: string | undefined;
}

/**
 * Creates tasks. An equal request with the same `dedupeKey` returns the first task.
 * docs/reference/tasks.md#create-a-task
 * @throws AppError `INSUFFICIENT_SCOPE` (an outcome on expiry, or a policy or an
 * escalation that replaces that of the form), `DEDUPE_KEY_REUSED` (the key
 * belongs to a different request), `NOT_FOUND` (no such form), `VALIDATION_FAILED`
 */
export function createTaskCreation(deps: CreateTaskDeps): CreateTask {
  const { tasks, forms, users, reviewers, guard, secretBox, outbox, slackOf, now } = deps;
  const findForm = createFindForm(forms);

  return async function createTask(actor, input, { id = newId('tsk'), cursor } = {}) {
    checkOnExpiry(actor, input);
    // Before the task of an earlier request, which the actor may have created when it still saw the
    // form.
    const seen = actor.memberOf ? await findForm(actor, input.templateId) : null;
    const dedupe = input.dedupeKey === undefined ? undefined : `${actor.accountId}|${input.dedupeKey}`;
    const first = dedupe === undefined ? null : await findFirst(tasks, dedupe);
    if (first) return reuse(actor, first, input, id);

    const form = seen ?? (await findForm(actor, input.templateId));
    checkReplacedPolicy(actor, input, form);
    const task = await buildTask(actor, input, { form, id, dedupe, cursor });
    try {
      const stored = await insertOnce(tasks, task);
      if (isErased(stored)) throw erasedError();
      if (stored === task) outbox.publish(task);
      return { task: stored, isNew: true };
    } catch (error) {
      const other = dedupe !== undefined && isDuplicateKey(error) ? await findFirst(tasks, dedupe) : null;
      if (!other) throw error;
      return reuse(actor, other, input, id);
    }
  };

  /**
   * Returns the task of the dedupe key if the request equals the one that created it. After a
   * crash, it may be that request itself, repeated.
   */
  async function reuse(actor: Actor, task: TaskRecord, input: TaskIn, id: string): Promise<CreatedTask> {
    const form = await forms.findOne({ _id: task.formId, deletedAt: null });
    const differing = differingMembers(actor, { task, form }, input);
    if (differing.length === 0) return { task, isNew: task._id === id };
    const message = `belongs to a task with a different ${differing.join(', ')}; use another key to create a new task`;
    throw new AppError('DEDUPE_KEY_REUSED', `This dedupeKey ${message}`, {
      issues: [{ pointer: '/dedupeKey', message }],
    });
  }

  async function buildTask(
    actor: Actor,
    input: TaskIn,
    { form, id, dedupe, cursor }: TaskParts,
  ): Promise<TaskRecord> {
    const at = now();
    const createdAt = isoTime(at);
    const expiry = expiryOf(input, at);
    const prefill = checkPrefill(form.fields, input.prefill);
    const assignee = await findAssignee(
      { users, reviewers },
      { accountId: actor.accountId, formId: form._id },
      input.assignee,
    );
    const policy =
      'at' in expiry && 'id' in assignee
        ? await policyOfTask(reviewers, {
            actor,
            input,
            form,
            assignee: assignee.id,
            createdAt: at,
            expiresAt: Date.parse(expiry.at),
          })
        : { fields: {}, issues: [] };
    const issues = [
      ...policy.issues,
      ...('issues' in prefill ? prefill.issues : []),
      ...checkEditableFields(form.fields, input.editableFields ?? []),
      ...('issue' in expiry ? [expiry.issue] : []),
      ...('issue' in assignee ? [assignee.issue] : []),
      ...(await callbackUrlIssues(guard, actor, input)),
    ];
    if (issues.length > 0 || 'issues' in prefill || 'issue' in expiry || 'issue' in assignee) {
      throw validationFailed(issues);
    }
    const obstacles = unapprovableIssues(form, prefill.values, input);
    if (obstacles.length > 0) throw validationFailed(obstacles);
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
      ...(actor.name !== undefined && { createdByName: actor.name }),
      ...(assignee.id === undefined ? {} : { assignee: assignee.id }),
      userId: assignee.id ?? (await findTaskUser(users, actor)),
      expiresAt: expiry.at,
      dueAt: expiry.at,
      onExpiry: input.onExpiry,
      ...policy.fields,
      ...(await slackOf(actor, form, { at })),
      ...callbackOf(secretBox, input, id),
      ...actionOf(input),
      ...(dedupe === undefined ? {} : { dedupe, prefillHash: hashOfPrefill(input.prefill) }),
      metadata: JSON.stringify(input.metadata),
      ...(cursor === undefined ? {} : { cursor }),
      history: [{ at: createdAt, event: 'created', by: actor.by }],
      createdAt,
      ...pendingEvents(TASK_CREATION_EVENTS, {
        of: id,
        timestamp: createdAt,
        requestId: actor.requestId,
        trace: actor.trace,
      }),
    };
  }
}

/** Finds the task of the dedupe key. @throws AppError `ERASED` */
async function findFirst(
  tasks: Pick<Collection<TaskRecord>, 'find'>,
  dedupe: string,
): Promise<TaskRecord | null> {
  const found = await tasks.find({ dedupe: { $in: dedupeValues(dedupe) } });
  // The key of another task can look like a hash of this one that an older version stored.
  const first = found.find((task) => task.dedupe === dedupe) ?? found.find(isErased) ?? null;
  if (first && isErased(first)) throw erasedError();
  return first;
}

async function callbackUrlIssues(
  guard: Guard,
  { accountId }: Actor,
  { callbackUrl: url }: TaskIn,
): Promise<Issue[]> {
  const refusal = url === undefined ? null : await guard.checkTarget(url, accountId);
  return refusal ? [{ pointer: '/callbackUrl', message: refusal.message }] : [];
}

function callbackOf(
  secretBox: Pick<SecretBox, 'seal'>,
  { callbackUrl: url, callbackSecret: secret, callbackRetries }: TaskIn,
  taskId: string,
): Pick<TaskRecord, 'callback'> {
  if (url === undefined) return {};
  const sealed =
    secret === undefined ? {} : { secret: secretBox.seal(secret, callbackSecretContext(taskId)) };
  const retries = callbackRetries ? { retries: true as const } : {};
  return { callback: { url, ...sealed, ...retries, state: 'pending', attempts: [] } };
}

/**
 * An outcome on expiry is a decision made in advance, so it needs the scope that decisions need.
 * @throws AppError `INSUFFICIENT_SCOPE`
 */
function checkOnExpiry({ mayDecide }: Actor, { onExpiry }: TaskIn): void {
  if (onExpiry === 'expire' || mayDecide) return;
  throw new AppError(
    'INSUFFICIENT_SCOPE',
    `onExpiry "${onExpiry}" decides the task on expiry and needs the scope tasks:decide`,
    { members: { requiredScope: 'tasks:decide' } },
  );
}

function actionOf({ action }: TaskIn): Pick<TaskRecord, 'action' | 'actionDigest'> {
  if (action === undefined) return {};
  const canonical = canonicalAction(action);
  return { action: canonical, actionDigest: digestOfAction(canonical) };
}

/**
 * The default policy of a form binds callers who may not manage tasks: an agent must not replace
 * the rule of its owner with a weaker one, or choose the group whose approvals replace missing
 * ones. docs/reference/tasks.md#policies
 * @throws AppError `INSUFFICIENT_SCOPE`
 */
function checkReplacedPolicy({ mayManage }: Actor, input: TaskIn, { settings }: FormRecord): void {
  if (mayManage || !settings.tasks?.policy) return;
  const { policy, escalateAfterSeconds, escalateTo } = input;
  const replaced = Object.entries({ policy, escalateAfterSeconds, escalateTo })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (replaced.length === 0) return;
  throw new AppError(
    'INSUFFICIENT_SCOPE',
    `The form has a policy, and replacing it or its escalation needs the scope tasks:manage; omit ${replaced.join(' and ')}`,
    { members: { requiredScope: 'tasks:manage' } },
  );
}

function expiryOf(input: TaskIn, now: number): { at: string } | { issue: Issue } {
  if (input.expiresAt === undefined) {
    const seconds = input.expiresInSeconds ?? TASK_LIFETIME.default;
    return { at: isoTime(now + seconds * 1000) };
  }
  const time = Date.parse(input.expiresAt);
  const { min, max } = TASK_LIFETIME;
  return time >= now + min * 1000 && time <= now + max * 1000
    ? { at: input.expiresAt }
    : {
        issue: {
          pointer: '/expiresAt',
          message: `must be at least ${min} seconds from now and at most one year`,
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
