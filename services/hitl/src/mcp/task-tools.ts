import { TaskIn, TaskOut, TaskQuery, TaskToolArguments } from '@svcforms/contracts';
import type { Clock } from '@svcforms/primitives';
import type { TaskRecord } from '@svcforms/records';
import { z } from 'zod';
import type { ViewTask } from '../tasks/task-out.ts';
import type { TaskService } from '../tasks/task-service.ts';
import { formId, limit, nextCursor, taskId, tool, type Tool, type ToolCall } from './tool.ts';

/** The longest wait of one call, in seconds: clients time out after a minute. */
export const MAX_WAIT = 50;
/**
 * The default wait, in seconds. Some clients give up after five, and the request takes time too.
 */
const DEFAULT_WAIT = 3;
const PROGRESS_INTERVAL_MS = 1_000;

const WaitedTask = TaskOut.extend({ pending: z.boolean(), next: z.string().optional() });
/** Whole tasks, too. Their schema is short, because that of get_task says the rest. */
const CancelledTask = z.looseObject(TaskOut.pick({ id: true, status: true, settledAt: true }).shape);
const ListedTask = z.looseObject(
  TaskOut.pick({
    id: true,
    templateId: true,
    title: true,
    decisionMode: true,
    priority: true,
    status: true,
    outcome: true,
    createdAt: true,
    expiresAt: true,
  }).shape,
);
const { formId: _formId, ...taskFields } = { ...TaskToolArguments.in.shape };

export interface TaskToolsDeps {
  taskService: TaskService;
  viewTask: ViewTask;
  now: Clock;
}

export const taskTools = (deps: TaskToolsDeps): Tool[] => [...creatingTools(deps), ...otherTools(deps)];

/**
 * Returns the task once it is resolved, or as it is after `seconds` with what to call to go on.
 * Reports progress meanwhile, so that clients that extend their timeout by it don't give up.
 */
async function waitForTask(
  { taskService, viewTask, now }: TaskToolsDeps,
  { actor, signal, progress }: ToolCall,
  { id, seconds }: { id: string; seconds: number },
) {
  const startedAt = now();
  let reported = -1;
  const report = () => {
    const done = Math.round((now() - startedAt) / 1000);
    // Each notification must report more progress than the one before.
    if (done <= reported) return;
    reported = done;
    void progress(done, seconds).catch(() => {});
  };
  const timer = setInterval(report, PROGRESS_INTERVAL_MS);
  try {
    if (seconds > 0) report();
    const task = await taskService.get(actor, id, seconds, signal);
    if (task.status !== 'awaiting') return { ...(await viewTask(task)), pending: false };
    const next = `Nobody has decided yet. Call wait_for_task with {"taskId": "${task._id}"} to go on waiting.`;
    return { ...(await viewTask(task)), pending: true, next };
  } finally {
    clearInterval(timer);
  }
}

/** Creates a task, or finds the one with the same dedupeKey. */
async function createTask(
  taskService: Pick<TaskService, 'create'>,
  { actor, audit }: ToolCall,
  input: TaskIn,
): Promise<TaskRecord> {
  const { task, isNew } = await taskService.create(actor, input);
  if (isNew) await audit('task.created', { id: task._id });
  return task;
}

/** Creates the task of a call of `request_approval`, whose other arguments are those of a task. */
export const requestApproval = (
  taskService: Pick<TaskService, 'create'>,
  call: ToolCall,
  { formId: templateId, ...rest }: Record<string, unknown>,
): Promise<TaskRecord> => createTask(taskService, call, TaskIn.parse({ ...rest, templateId }));

function creatingTools(deps: TaskToolsDeps): Tool[] {
  const { taskService, viewTask } = deps;
  return [
    tool({
      name: 'request_approval',
      title: 'Ask a human for approval',
      description:
        'Asks a human to approve or reject, and waits up to waitSeconds for the decision. If the result has `pending: true`, call wait_for_task with its `id` as taskId. Always pass a dedupeKey, so that a repeated call finds the same task.',
      scopes: ['tasks:create', 'tasks:read'],
      readOnly: false,
      idempotent: false,
      input: z.strictObject({
        formId,
        title: TaskToolArguments.in.shape.title.unwrap(),
        description: taskFields.description,
        prefill: taskFields.prefill,
        editableFields: taskFields.editableFields,
        action: taskFields.action,
        callbackUrl: taskFields.callbackUrl,
        priority: taskFields.priority,
        expiresInSeconds: taskFields.expiresInSeconds.meta({
          description: 'Seconds until the task expires. Default: one week.',
          example: 3600,
        }),
        dedupeKey: taskFields.dedupeKey,
        policy: taskFields.policy,
        waitSeconds: z
          .int()
          .min(0)
          .max(MAX_WAIT)
          .default(DEFAULT_WAIT)
          .meta({ description: 'Maximum seconds to wait for the decision; 0 returns at once.' }),
      }),
      output: WaitedTask,
      async run({ waitSeconds, ...input }, call) {
        const { _id: id } = await requestApproval(taskService, call, input);
        return waitForTask(deps, call, { id, seconds: waitSeconds });
      },
    }),
    tool({
      name: 'create_task',
      title: 'Create a task for a human',
      description:
        'Asks a human to approve or reject (decisionMode approval), or to fill in and submit the form (decisionMode form). Returns without waiting.',
      scopes: ['tasks:create'],
      readOnly: false,
      idempotent: false,
      input: TaskToolArguments,
      output: TaskOut,
      async run(input, call) {
        return viewTask(await createTask(taskService, call, input));
      },
    }),
  ];
}

function otherTools(deps: TaskToolsDeps): Tool[] {
  const { taskService, viewTask: out } = deps;
  return [
    tool({
      name: 'get_task',
      title: 'Get a task',
      description: 'Returns the current state of a task: its status, outcome, decider and values.',
      scopes: ['tasks:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ taskId }),
      output: TaskOut,
      run: async (args, { actor }) => out(await taskService.get(actor, args.taskId)),
    }),
    tool({
      name: 'list_tasks',
      title: 'List tasks',
      description:
        'Lists the tasks of the account: newest, most urgent or soonest to expire first, as `sort` says.',
      scopes: ['tasks:read'],
      readOnly: true,
      idempotent: true,
      input: TaskQuery.omit({ templateId: true, limit: true }).extend({ formId: formId.optional(), limit }),
      output: z.object({ tasks: z.array(ListedTask), nextCursor }),
      async run({ formId: templateId, ...query }, { actor, signal }) {
        const { items, pagination } = await taskService.list(actor, { ...query, templateId }, signal);
        return { tasks: await Promise.all(items.map(out)), nextCursor: pagination.nextCursor };
      },
    }),
    tool({
      name: 'wait_for_task',
      title: 'Wait for a task',
      description:
        'Waits until a task is resolved, for timeoutSeconds at most. If the result has `pending: true`, nobody has decided yet: call the tool again.',
      scopes: ['tasks:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({
        taskId,
        timeoutSeconds: z
          .int()
          .min(1)
          .max(MAX_WAIT)
          .default(DEFAULT_WAIT)
          .meta({ description: 'Maximum seconds to wait.' }),
      }),
      output: WaitedTask,
      run: (args, call) => waitForTask(deps, call, { id: args.taskId, seconds: args.timeoutSeconds }),
    }),
    tool({
      name: 'cancel_task',
      title: 'Cancel a task',
      description: 'Cancels a task that nobody has decided yet.',
      scopes: ['tasks:manage'],
      // The task service refuses tasks of other creators.
      orScope: 'tasks:create',
      readOnly: false,
      idempotent: true,
      destructive: true,
      input: z.strictObject({
        taskId,
        reason: z.string().max(2_000).meta({ description: 'Reason, shown in the history.' }).optional(),
      }),
      output: CancelledTask,
      async run(args, { actor, audit }) {
        const { task, changed } = await taskService.cancel(actor, args.taskId, { reason: args.reason });
        if (changed) await audit('task.cancelled', { id: task._id });
        return out(task);
      },
    }),
  ];
}
