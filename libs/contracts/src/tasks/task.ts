import { z } from 'zod';
import { PageQuery } from '../api/pagination.ts';
import { idOut, momentIn, timeOut } from '../api/schema-parts.ts';

export const TASK_STATUSES = [
  'awaiting',
  'approved',
  'rejected',
  'submitted',
  'expired',
  'cancelled',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_OUTCOMES = ['approved', 'rejected', 'submitted'] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

/** From least to most urgent. */
export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

export const DECISION_MODES = ['approval', 'form'] as const;
export type DecisionMode = (typeof DECISION_MODES)[number];

export const EXPIRY_RULES = ['expire', 'approve', 'reject'] as const;
export type ExpiryRule = (typeof EXPIRY_RULES)[number];

export const CALLBACK_STATES = ['pending', 'sending', 'delivered', 'failed', 'unknown'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Seconds. docs/reference/tasks.md#expiry */
export const TASK_LIFETIME = { min: 60, max: 31_536_000, default: 604_800 } as const;
export const MAX_TASK_METADATA_BYTES = 16 * 1024;
/** The longest wait for a task in one request, in seconds. */
export const MAX_TASK_WAIT = 55;

const utf8 = new TextEncoder();

const values = z.record(z.string(), z.unknown());
const title = z
  .string()
  .min(1)
  .max(500)
  .meta({ description: 'What is asked, in a line.', example: 'Refund 120 €?' });
const description = z.string().max(50_000).meta({
  description: 'All that the reviewer should know, as Markdown.',
  example: 'The parcel was **lost**.',
});
const priority = z.enum(TASK_PRIORITIES).meta({ description: 'How urgent it is.', example: 'normal' });
const decisionMode = z.enum(DECISION_MODES).meta({
  description: '`approval`: approve or reject. `form`: fill in the form and submit it.',
  example: 'approval',
});
const onExpiry = z.enum(EXPIRY_RULES).meta({
  description:
    'What happens to a task that nobody settled in time. Anything but `expire` needs the scope `tasks:decide`.',
  example: 'expire',
});
const editableFields = z
  .array(z.string())
  .max(1_000)
  .overwrite((names) => [...new Set(names)])
  .meta({
    description: 'Fields that the reviewer may change. Absent: all in form mode, none in approval mode.',
    example: ['amount'],
  });
const requireComment = z
  .array(z.enum(['approved', 'rejected']))
  .overwrite((outcomes) => [...new Set(outcomes)])
  .meta({ description: 'Outcomes that need a comment.', example: ['rejected'] });
const rejectOptions = z
  .array(z.string().min(1).max(200))
  .max(50)
  .overwrite((options) => [...new Set(options)])
  .meta({ description: 'Reasons that a rejection can pick from.', example: ['Too expensive', 'Not ours'] });
const comment = z
  .string()
  .max(10_000)
  .meta({ description: 'What the reviewer had to say.', example: 'Go ahead.' });
const metadata = values
  .refine(
    (value) => utf8.encode(JSON.stringify(value)).length <= MAX_TASK_METADATA_BYTES,
    `must have at most ${MAX_TASK_METADATA_BYTES} bytes as JSON`,
  )
  .meta({
    description: 'Whatever its creator wants to find again; at most 16 KiB.',
    example: { run: 'r-42' },
  });

const taskShape = {
  templateId: z.string().meta({
    description: 'Id of the form that the task is about.',
    example: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  }),
  title: title.optional(),
  description: description.optional(),
  prefill: values
    .default(() => ({}))
    .meta({
      description:
        'Values by field name to begin with. What the form requires must be here, unless the reviewer may change it.',
      example: { amount: 120 },
    }),
  editableFields: editableFields.optional(),
  decisionMode: decisionMode.default('approval'),
  priority: priority.default('normal'),
  expiresAt: momentIn(
    'When it expires, 60 seconds to a year from now; or give `expiresInSeconds`.',
    '2027-01-31T12:00:00.000Z',
  ).optional(),
  expiresInSeconds: z
    .int()
    .min(TASK_LIFETIME.min)
    .max(TASK_LIFETIME.max)
    .meta({ description: 'How long it waits. Absent, as `expiresAt`: a week.', example: 3600 })
    .optional(),
  onExpiry: onExpiry.default('expire'),
  callbackUrl: z
    .string()
    .max(2048)
    .meta({
      description: 'Public HTTPS address that is told once, when the task is completed.',
      example: 'https://agent.example.com/done',
    })
    .optional(),
  callbackSecret: z
    .string()
    .min(16)
    .max(256)
    .meta({
      description: 'Signs the callback as webhooks are signed; 16 characters at least.',
      example: 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==',
    })
    .optional(),
  assignee: z
    .string()
    .min(1)
    .max(320)
    .meta({
      description: 'Id or e-mail of the user who should decide.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    })
    .optional(),
  requireComment: requireComment.optional(),
  rejectOptions: rejectOptions.optional(),
  dedupeKey: z
    .string()
    .min(1)
    .max(255)
    .meta({
      description:
        'A second request of the account with the same key gets the first task; 422 if it asks for something else.',
      example: 'refund-4711',
    })
    .optional(),
  metadata: metadata.default(() => ({})),
};

interface TaskRules {
  expiresAt?: string | undefined;
  expiresInSeconds?: number | undefined;
  decisionMode: DecisionMode;
  onExpiry?: ExpiryRule;
  callbackUrl?: string | undefined;
  callbackSecret?: string | undefined;
}

/** Returns the contradictions in a new task. */
function checkTaskRules(task: TaskRules, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (task.expiresAt !== undefined && task.expiresInSeconds !== undefined)
    refuse('expiresInSeconds', 'must not stand beside expiresAt');
  if (task.decisionMode === 'form' && (task.onExpiry ?? 'expire') !== 'expire')
    refuse('onExpiry', 'must be expire in form mode, where nothing is approved or rejected');
  if (task.callbackSecret !== undefined && task.callbackUrl === undefined)
    refuse('callbackSecret', 'needs a callbackUrl');
}

/** Body of POST /api/mcp/tasks. docs/reference/tasks.md#create-a-task */
export const TaskIn = z
  .strictObject(taskShape)
  .superRefine(checkTaskRules)
  .meta({ id: 'TaskIn', description: 'A task to create.' });
export type TaskIn = z.output<typeof TaskIn>;

const { templateId, onExpiry: _onExpiry, ...toolInputs } = taskShape;

/**
 * The arguments of an MCP tool that creates a task. They have no `onExpiry`, because a tool must
 * not decide a task, not even by its expiry.
 */
export const TaskToolArguments = z
  .strictObject({ formId: templateId, ...toolInputs })
  .superRefine(checkTaskRules)
  .transform(({ formId, ...rest }): TaskIn => ({ templateId: formId, onExpiry: 'expire', ...rest }))
  // Without an id, so that the tool's schema has no reference at its root, which some clients don't
  // follow.
  .meta({ description: 'A task to create.' });

const CallbackAttempt = z
  .object({
    at: timeOut('When it was sent.'),
    status: z.int().meta({ description: 'HTTP status. Absent without an answer.', example: 200 }).optional(),
    error: z
      .string()
      .meta({ description: 'Why there is no answer, or no success.', example: 'timeout' })
      .optional(),
    durationMs: z.number().meta({ description: 'Milliseconds it took.', example: 38 }),
    responseBody: z
      .string()
      .meta({ description: 'First 4 KiB of the answer; empty without one.', example: 'ok' }),
  })
  .meta({ id: 'CallbackAttempt', description: 'One POST to the callback address.' });

const TaskCallback = z
  .object({
    url: z.string().meta({ description: 'Where it goes.', example: 'https://agent.example.com/done' }),
    state: z.enum(CALLBACK_STATES).meta({
      description:
        'Not sent yet; being sent; answered with 2xx; not; or it is not known what came of it. It is sent once.',
      example: 'delivered',
    }),
    attempts: z.array(CallbackAttempt).meta({ description: 'What was sent, oldest first.' }),
  })
  .meta({ id: 'TaskCallback', description: 'What became of telling the callback address.' });

/** The task object. docs/reference/tasks.md#task-object */
export const TaskOut = z
  .object({
    id: idOut('tsk', 'Id of the task.'),
    hitlTaskId: idOut('tsk', 'The same id.'),
    templateId: idOut('frm', 'Form that it is about.'),
    title: title.optional(),
    description: description.optional(),
    prefill: values.meta({ description: 'Values to begin with.', example: { amount: 120 } }),
    editableFields: editableFields.optional(),
    decisionMode,
    priority,
    status: z.enum(TASK_STATUSES).meta({ description: 'Where it is.', example: 'awaiting' }),
    outcome: z
      .enum(TASK_OUTCOMES)
      .meta({ description: 'How it was settled.', example: 'approved' })
      .optional(),
    formData: values.meta({ description: 'The settled values.', example: { amount: 100 } }).optional(),
    comment: comment.optional(),
    rejectOption: z.string().meta({ description: 'The picked reason.', example: 'Not ours' }).optional(),
    submissionId: idOut('sub', 'Submission that it produced.').optional(),
    createdBy: z
      .string()
      .meta({ description: 'API key or user who created it.', example: 'key_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' }),
    decidedBy: z
      .string()
      .meta({ description: 'API key or user who settled it.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' })
      .optional(),
    assignee: idOut('usr', 'User who should decide.').optional(),
    claim: z
      .object({
        by: z.string().meta({ description: 'Who has it.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' }),
        until: timeOut('Until when.'),
      })
      .meta({ id: 'TaskClaim', description: 'Somebody is at it.' })
      .optional(),
    expiresAt: timeOut('When it expires.'),
    onExpiry,
    resolvedBy: z
      .enum(['human', 'expiry'])
      .meta({ description: 'Whether somebody decided, or time did.', example: 'human' })
      .optional(),
    requireComment: requireComment.optional(),
    rejectOptions: rejectOptions.optional(),
    callback: TaskCallback.optional(),
    metadata: values.meta({ description: 'What its creator put there.', example: { run: 'r-42' } }),
    createdAt: timeOut('When it was created.'),
    settledAt: timeOut('When it left `awaiting`.').optional(),
    erasedAt: timeOut('When its values were erased, with its submission.').optional(),
  })
  .meta({ id: 'Task', description: 'A question to a human.' });
export type TaskOut = z.output<typeof TaskOut>;

/** Query of the list of tasks. */
export const TaskQuery = PageQuery.extend({
  status: z.enum(TASK_STATUSES).meta({ description: 'Where they are.', example: 'awaiting' }).optional(),
  priority: priority.optional(),
  templateId: templateId.optional(),
  assignee: z
    .string()
    .meta({ description: 'Id of a user.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' })
    .optional(),
  q: z
    .string()
    .meta({ description: 'Text that the title or the description contains.', example: 'refund' })
    .optional(),
  sort: z
    .enum(['createdAt', 'priority', 'expiresAt'])
    .default('createdAt')
    .meta({ description: 'Newest, most urgent, or soonest to expire first.', example: 'priority' }),
}).meta({ description: 'Which tasks.' });
export type TaskQuery = z.output<typeof TaskQuery>;

/** Query of GET …/tasks/{id}. */
export const TaskWaitQuery = z
  .strictObject({
    wait: z.coerce
      .number(`must be a whole number from 0 to ${MAX_TASK_WAIT}`)
      .int(`must be a whole number from 0 to ${MAX_TASK_WAIT}`)
      .min(0)
      .max(MAX_TASK_WAIT)
      .default(0)
      .meta({ description: 'Seconds to wait for the task to be settled.', example: 30 }),
  })
  .meta({ description: 'Whether to wait.' });
export type TaskWaitQuery = z.output<typeof TaskWaitQuery>;

/** Body of POST …/decision. */
export const DecisionIn = z
  .strictObject({
    outcome: z.enum(TASK_OUTCOMES).meta({
      description: '`submitted` in form mode; `approved` or `rejected` in approval mode.',
      example: 'approved',
    }),
    fields: values
      .default(() => ({}))
      .meta({ description: 'Changed values by field name.', example: { amount: 100 } }),
    comment: comment.optional(),
    rejectOption: z
      .string()
      .meta({ description: "One of the task's reject options.", example: 'Not ours' })
      .optional(),
  })
  .meta({ id: 'DecisionIn', description: 'How a task is settled.' });
export type DecisionIn = z.output<typeof DecisionIn>;

/** Optional body of POST …/cancel. */
export const CancelIn = z
  .strictObject({
    reason: z.string().max(2_000).meta({ description: 'Why.', example: 'No longer needed' }).optional(),
  })
  .meta({ id: 'CancelIn', description: 'Why a task is cancelled.' });
export type CancelIn = z.output<typeof CancelIn>;

export const HISTORY_EVENTS = [
  'created',
  'claimed',
  'released',
  'decided',
  'expired',
  'cancelled',
  'callback',
] as const;

/** An entry of GET …/history. */
export const TaskHistoryOut = z
  .object({
    at: timeOut('When.'),
    event: z.enum(HISTORY_EVENTS).meta({ description: 'What happened.', example: 'decided' }),
    by: z
      .string()
      .meta({
        description: 'API key or user. Absent: time, or the service.',
        example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      })
      .optional(),
    outcome: z.enum(TASK_OUTCOMES).meta({ description: 'Of a decision.', example: 'approved' }).optional(),
    comment: comment.optional(),
    reason: z.string().meta({ description: 'Of a cancellation.', example: 'No longer needed' }).optional(),
    state: z
      .enum(CALLBACK_STATES)
      .meta({ description: 'What came of the callback.', example: 'failed' })
      .optional(),
    status: z.int().meta({ description: 'HTTP status that answered the callback.', example: 500 }).optional(),
    error: z.string().meta({ description: 'Why the callback had no answer.', example: 'timeout' }).optional(),
  })
  .meta({ id: 'TaskHistoryEntry', description: 'Something that happened to a task.' });
export type TaskHistoryOut = z.output<typeof TaskHistoryOut>;

/**
 * Body of POST /api/mcp: one JSON-RPC message; the protocol has no batches.
 * docs/reference/mcp.md#transport
 */
export const McpMessage = z.record(z.string(), z.unknown()).meta({
  description: 'One JSON-RPC 2.0 message.',
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
});
export type McpMessage = z.output<typeof McpMessage>;

/** Query of GET /api/mcp/events/{eventType}. docs/reference/events.md#event-stream */
export const StreamQuery = z
  .strictObject({
    lastEventId: z
      .string()
      .max(200)
      .meta({
        description: '`id` of the last event that was read; the header `Last-Event-ID` comes before it.',
        example: 'm5k2h3-4711',
      })
      .optional(),
  })
  .meta({ description: 'Where to begin. Without it: with what comes from now on.' });
export type StreamQuery = z.output<typeof StreamQuery>;
