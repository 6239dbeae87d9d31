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
  insertOnce,
  TASK_CREATION_EVENTS,
  type FormRecord,
  type TaskRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { Actor } from './actor.ts';
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
 * Creates a task. The same `dedupeKey` gives the first task, whatever else the request says.
 * @throws AppError `NOT_FOUND` (no such form), `VALIDATION_FAILED`
 */
export function createTaskCreation(deps: CreateTaskDeps) {
  const { tasks, forms, users, guard, secretBox, outbox, now } = deps;

  return async function createTask(actor: Actor, input: TaskIn, id = newId('tsk')): Promise<CreatedTask> {
    const dedupe = input.dedupeKey === undefined ? undefined : `${actor.accountId}|${input.dedupeKey}`;
    const first = dedupe === undefined ? null : await tasks.findOne({ dedupe });
    if (first) return { task: first, isNew: false };

    const form = await forms.findOne({ _id: input.templateId, accountId: actor.accountId, deletedAt: null });
    if (!form) throw new AppError('NOT_FOUND', `There is no form ${input.templateId}`);
    const made = await makeTask(actor, input, { form, id, dedupe });
    try {
      const stored = await insertOnce(tasks, made);
      if (stored === made) outbox.publish(made);
      return { task: stored, isNew: true };
    } catch (error) {
      const other = dedupe !== undefined && isDuplicateKey(error) ? await tasks.findOne({ dedupe }) : null;
      if (!other) throw error;
      return { task: other, isNew: false };
    }
  };

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
      ...(await targetIssues(input.callbackUrl)),
    ];
    if (issues.length > 0 || 'issues' in prefill || 'issue' in expiry || 'issue' in assignee) {
      throw validationFailed(issues);
    }
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
      ...(dedupe === undefined ? {} : { dedupe }),
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

  async function targetIssues(url: string | undefined): Promise<Issue[]> {
    const refusal = url === undefined ? null : await guard.checkTarget(url);
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

function expiryOf(input: TaskIn, now: number): { at: string } | { issue: Issue } {
  if (input.expiresAt === undefined) {
    const seconds = input.expiresInSeconds ?? TASK_LIFETIME.default;
    return { at: new Date(now + seconds * 1000).toISOString() };
  }
  const time = Date.parse(input.expiresAt);
  return time > now && time <= now + TASK_LIFETIME.max * 1000
    ? { at: input.expiresAt }
    : { issue: { pointer: '/expiresAt', message: 'must be in the future, and within a year' } };
}

function definedOf<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as {
    [P in K]?: Exclude<T[P], undefined>;
  };
}
