import {
  AppError,
  SubmissionOut,
  TaskIn,
  TaskOut,
  TaskQuery,
  TaskToolArguments,
  type AuditAction,
  type Scope,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage } from '@svcforms/http';
import { submissionOut, type FormRecord, type SubmissionRecord, type TaskRecord } from '@svcforms/records';
import { z } from 'zod';
import type { Actor } from '../tasks/actor.ts';
import type { TaskDesk } from '../tasks/task-desk.ts';
import { taskOut } from '../tasks/task-out.ts';
import { formExample, formSchema } from './form-schema.ts';

/** Clients give up a call after a minute; so long may one wait. Seconds. */
const MAX_WAIT = 50;
const PROGRESS_EVERY_MS = 5_000;

export interface ToolDeps {
  desk: TaskDesk;
  forms: Pick<Collection<FormRecord>, 'findOne' | 'find'>;
  submissions: Pick<Collection<SubmissionRecord>, 'findOne' | 'find'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What a call is about, beside its arguments. */
export interface ToolCall {
  actor: Actor;
  signal: AbortSignal;
  /** Adds a row about the task to the audit log. Each tool that changes something does it once. */
  audit: (action: AuditAction, taskId: string) => Promise<void>;
  /** Tells whoever wants to know how far it is; both in seconds. */
  progress: (done: number, total: number) => Promise<void>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  scopes: readonly Scope[];
  input: z.ZodType;
  output: z.ZodObject;
  /** It changes nothing. */
  readOnly: boolean;
  /** Doing it again with the same arguments changes nothing more. */
  idempotent: boolean;
  /** It takes something away. */
  destructive?: boolean;
  run(args: unknown, call: ToolCall): Promise<Record<string, unknown>>;
}

interface TypedTool<I extends z.ZodType, O extends z.ZodObject> extends Omit<
  Tool,
  'input' | 'output' | 'run'
> {
  input: I;
  output: O;
  run(args: z.output<I>, call: ToolCall): Promise<z.output<O>>;
}

const tool = <I extends z.ZodType, O extends z.ZodObject>(definition: TypedTool<I, O>): Tool =>
  definition as unknown as Tool;

const formId = z.string().meta({ description: 'Id of the form (frm_…), from list_forms.' });
const taskId = z.string().meta({ description: 'Id of the task (tsk_…).' });
const submissionId = z.string().meta({ description: 'Id of the submission (sub_…).' });
const limit = z.int().min(1).max(100).default(25).meta({ description: 'Maximum number of entries.' });
const cursor = z.string().meta({ description: '`nextCursor` of the previous page.' }).optional();
const nextCursor = z
  .string()
  .nullable()
  .meta({ description: '`cursor` of the next page; null on the last page.' });

const WaitedTask = TaskOut.extend({
  pending: z.boolean().meta({ description: 'Whether the task is still pending: if so, call wait_for_task.' }),
});
const { formId: _formId, ...taskFields } = { ...TaskToolArguments.in.shape };

/** What agents may do. None of them decides. contract: tasks.md, MCP server */
export function tools({ desk, forms, submissions, now }: ToolDeps): Tool[] {
  async function ownForm({ accountId }: Actor, id: string): Promise<FormRecord> {
    const form = await forms.findOne({ _id: id, accountId, deletedAt: null });
    if (!form) throw new AppError('NOT_FOUND', `There is no form ${id}`);
    return form;
  }

  /** The task when it is settled, or as it is when the time is over. */
  async function waitFor(id: string, seconds: number, { actor, signal, progress }: ToolCall) {
    const startedAt = now();
    const tell = () => void progress(Math.round((now() - startedAt) / 1000), seconds).catch(() => {});
    const telling = setInterval(tell, PROGRESS_EVERY_MS);
    try {
      if (seconds > 0) tell();
      const task = await desk.get(actor, id, seconds, signal);
      return { ...taskOut(task, now()), pending: task.status === 'awaiting' };
    } finally {
      clearInterval(telling);
    }
  }

  const out = (task: TaskRecord) => taskOut(task, now());

  return [
    tool({
      name: 'list_forms',
      title: 'List forms',
      description:
        'Lists the forms of the account, newest first. A form is the template of tasks and submissions.',
      scopes: ['forms:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ limit, cursor }),
      output: z.object({
        forms: z.array(
          z.object({
            formId,
            name: z.string(),
            description: z.string().optional(),
            fields: z.array(z.string()).meta({ description: 'Names of the fields.' }),
          }),
        ),
        nextCursor,
      }),
      async run(page, { actor }) {
        const filter = { accountId: actor.accountId, deletedAt: null };
        const { items, pagination } = await findPage(forms as Collection<FormRecord>, filter, {
          prefix: 'frm',
          ...page,
        });
        return {
          forms: items.map(({ _id, name, description, fields }) => ({
            formId: _id,
            name,
            ...(description === undefined ? {} : { description }),
            fields: fields.map((field) => field.name),
          })),
          nextCursor: pagination.nextCursor,
        };
      },
    }),
    tool({
      name: 'get_form_schema',
      title: 'Get the schema of a form',
      description:
        'Returns the JSON Schema of the values that a form accepts, with an example. Use it to create the prefill of a task.',
      scopes: ['forms:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ formId }),
      output: z.object({
        formId,
        name: z.string(),
        schema: z
          .record(z.string(), z.unknown())
          .meta({ description: 'JSON Schema of the values by field name.' }),
        example: z.record(z.string(), z.unknown()).meta({ description: 'Example of valid values.' }),
      }),
      async run(args, { actor }) {
        const { _id, name, fields } = await ownForm(actor, args.formId);
        return { formId: _id, name, schema: formSchema(fields), example: formExample(fields) };
      },
    }),
    tool({
      name: 'request_approval',
      title: 'Ask a human for approval',
      description:
        'Asks a person to approve or reject, and waits up to waitSeconds for the decision. If the result has `pending: true`, call wait_for_task.',
      scopes: ['tasks:create', 'tasks:read'],
      readOnly: false,
      idempotent: false,
      input: z.strictObject({
        formId,
        title: TaskToolArguments.in.shape.title.unwrap(),
        description: taskFields.description,
        prefill: taskFields.prefill,
        editableFields: taskFields.editableFields,
        callbackUrl: taskFields.callbackUrl,
        priority: taskFields.priority,
        expiresInSeconds: taskFields.expiresInSeconds,
        waitSeconds: z
          .int()
          .min(0)
          .max(MAX_WAIT)
          .default(0)
          .meta({ description: 'Maximum seconds to wait for the decision.' }),
      }),
      output: WaitedTask,
      async run({ formId: templateId, waitSeconds, ...rest }, call) {
        const input = TaskIn.parse({ ...rest, templateId });
        const { task, isNew } = await desk.create(call.actor, input);
        if (isNew) await call.audit('task.created', task._id);
        return waitFor(task._id, waitSeconds, call);
      },
    }),
    tool({
      name: 'create_task',
      title: 'Create a task for a human',
      description:
        'Asks a person to approve or reject (decisionMode approval), or to fill in and submit the form (decisionMode form). Returns immediately.',
      scopes: ['tasks:create'],
      readOnly: false,
      idempotent: false,
      input: TaskToolArguments,
      output: TaskOut,
      async run(input, { actor, audit }) {
        const { task, isNew } = await desk.create(actor, input);
        if (isNew) await audit('task.created', task._id);
        return out(task);
      },
    }),
    tool({
      name: 'get_task',
      title: 'Get a task',
      description:
        'Returns the current state of a task: whether it is resolved, how, by whom and with which values.',
      scopes: ['tasks:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ taskId }),
      output: TaskOut,
      run: async (args, { actor }) => out(await desk.get(actor, args.taskId)),
    }),
    tool({
      name: 'list_tasks',
      title: 'List tasks',
      description:
        'Lists the tasks of the account: newest first, most urgent first, or soonest to expire first.',
      scopes: ['tasks:read'],
      readOnly: true,
      idempotent: true,
      input: TaskQuery.omit({ templateId: true, limit: true }).extend({ formId: formId.optional(), limit }),
      output: z.object({ tasks: z.array(TaskOut), nextCursor }),
      async run({ formId: templateId, ...query }, { actor }) {
        const { items, pagination } = await desk.list(actor, { ...query, templateId });
        return { tasks: items.map(out), nextCursor: pagination.nextCursor };
      },
    }),
    tool({
      name: 'wait_for_task',
      title: 'Wait for a task',
      description:
        'Waits until a person resolves the task. If the result has `pending: true`, the timeout was reached first: call it again.',
      scopes: ['tasks:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({
        taskId,
        timeoutSeconds: z
          .int()
          .min(1)
          .max(MAX_WAIT)
          .default(MAX_WAIT)
          .meta({ description: 'Maximum seconds to wait.' }),
      }),
      output: WaitedTask,
      run: (args, call) => waitFor(args.taskId, args.timeoutSeconds, call),
    }),
    tool({
      name: 'cancel_task',
      title: 'Cancel a task',
      description: 'Cancels a pending task.',
      scopes: ['tasks:manage'],
      readOnly: false,
      idempotent: true,
      destructive: true,
      input: z.strictObject({
        taskId,
        reason: z.string().max(2_000).meta({ description: 'Reason of the cancellation.' }).optional(),
      }),
      output: TaskOut,
      async run(args, { actor, audit }) {
        const task = await desk.cancel(actor, args.taskId, { reason: args.reason });
        await audit('task.cancelled', task._id);
        return out(task);
      },
    }),
    tool({
      name: 'get_submission',
      title: 'Get a submission',
      description: 'Returns a submission with its values.',
      scopes: ['submissions:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ submissionId }),
      output: SubmissionOut,
      async run(args, { actor }) {
        const found = await submissions.findOne({ _id: args.submissionId, accountId: actor.accountId });
        if (!found) throw new AppError('NOT_FOUND', `There is no submission ${args.submissionId}`);
        await ownForm(actor, found.formId);
        return submissionOut(found);
      },
    }),
    tool({
      name: 'list_submissions',
      title: 'List submissions',
      description: 'Lists the submissions of a form, newest first.',
      scopes: ['submissions:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ formId, limit, cursor }),
      output: z.object({ submissions: z.array(SubmissionOut), nextCursor }),
      async run({ formId: id, ...page }, { actor }) {
        const form = await ownForm(actor, id);
        const { items, pagination } = await findPage(
          submissions as Collection<SubmissionRecord>,
          { formId: form._id },
          { prefix: 'sub', ...page },
        );
        return { submissions: items.map(submissionOut), nextCursor: pagination.nextCursor };
      },
    }),
  ];
}
