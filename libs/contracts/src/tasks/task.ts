import { z } from 'zod';
import { PageQuery } from '../api/pagination.ts';
import { idOut, momentIn, refuseProtoKey, timeOut, visibleName, wholeNumberIn } from '../api/schema-parts.ts';
import { TaskAction, taskActionOut } from './action.ts';
import { checkFollowUps, followUpShape, TaskPolicy, TaskProgress, TaskVote } from './policy.ts';

const TASK_STATUSES = ['awaiting', 'approved', 'rejected', 'submitted', 'expired', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const TASK_OUTCOMES = ['approved', 'rejected', 'submitted'] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

/** From least to most urgent. */
export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

const DECISION_MODES = ['approval', 'form'] as const;
export type DecisionMode = (typeof DECISION_MODES)[number];

const EXPIRY_RULES = ['expire', 'approve', 'reject'] as const;
export type ExpiryRule = (typeof EXPIRY_RULES)[number];

const CALLBACK_STATES = ['pending', 'sending', 'delivered', 'failed', 'unknown'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Seconds from creation to expiry. See docs/reference/tasks.md#expiry. */
export const TASK_LIFETIME = { min: 60, max: 31_536_000, default: 604_800 } as const;
const MAX_TASK_METADATA_BYTES = 16 * 1024;
/** Maximum number of seconds that a request may wait for a task to be resolved. */
const MAX_TASK_WAIT = 55;

const utf8 = new TextEncoder();

const values = z.record(z.string(), z.unknown());
/** Values in a request. The default is inside, where the JSON Schema shows it. */
const valuesIn = (schema: typeof values = values) =>
  z.preprocess(
    refuseProtoKey,
    schema.default(() => ({})),
  );
const title = z
  .string()
  .min(1)
  .max(500)
  .meta({ description: 'Question in one line.', example: 'Refund 120 €?' });
const description = z.string().max(50_000).meta({
  description: 'Context for the reviewer, as Markdown.',
  example: 'The parcel was **lost**.',
});
const priority = z.enum(TASK_PRIORITIES).meta({ description: 'Priority of the task.', example: 'normal' });
const decisionMode = z.enum(DECISION_MODES).meta({
  description: '`approval`: approve or reject. `form`: fill in the form and submit it.',
  example: 'approval',
});
const onExpiry = z.enum(EXPIRY_RULES).meta({
  description:
    'What happens if nobody resolves the task in time. Any value except `expire` needs the scope `tasks:decide`.',
  example: 'expire',
});
const editableFields = z
  .array(z.string())
  .max(1_000)
  .overwrite((names) => [...new Set(names)])
  .meta({
    description: 'Fields that the reviewer may change. Default: all in form mode, none in approval mode.',
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
  .meta({ description: 'Reasons to choose from for a rejection.', example: ['Too expensive', 'Not ours'] });
const comment = z
  .string()
  .max(10_000)
  .meta({ description: 'Comment of the reviewer.', example: 'Go ahead.' });
const valuesDigest = z.string().meta({
  description: 'Changes when a vote changes the values. Only of a pending task.',
  example: 'z9nDKCCOhJyyFLlBOGCNsOcMIUjM1-Hm4mHpJ5yfG6s',
});
const metadata = valuesIn(
  values.refine(
    (value) => utf8.encode(JSON.stringify(value)).length <= MAX_TASK_METADATA_BYTES,
    `must have at most ${MAX_TASK_METADATA_BYTES} bytes as JSON`,
  ),
).meta({
  description: 'Data of the creator, returned unchanged; at most 16 KiB.',
  example: { run: 'r-42' },
});

const taskShape = {
  templateId: z.string().meta({
    description: 'Id of the form that the task is about.',
    example: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  }),
  title: visibleName(title).optional(),
  description: description.optional(),
  prefill: valuesIn().meta({
    description:
      'Initial values by field name. Must contain every required field that the reviewer may not change.',
    example: { amount: 120 },
  }),
  editableFields: editableFields.optional(),
  decisionMode: decisionMode.default('approval'),
  priority: priority.default('normal'),
  expiresAt: momentIn(
    'When the task expires, 60 seconds to one year from now. Alternative to `expiresInSeconds`.',
    '2027-01-31T12:00:00.000Z',
  ).optional(),
  expiresInSeconds: z
    .int()
    .min(TASK_LIFETIME.min)
    .max(TASK_LIFETIME.max)
    .meta({
      description: 'Seconds until the task expires. Default, if `expiresAt` is absent too: one week.',
      example: 3600,
    })
    .optional(),
  onExpiry: onExpiry.default('expire'),
  callbackUrl: z
    .string()
    .max(2048)
    .meta({
      description: 'Public HTTPS URL that receives one callback when the task ends.',
      example: 'https://agent.example.com/done',
    })
    .optional(),
  callbackSecret: z
    .string()
    .min(16)
    .max(256)
    .meta({
      description: 'Secret that signs the callback, in the same way as webhooks; at least 16 characters.',
      example: 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==',
    })
    .optional(),
  callbackRetries: z
    .boolean()
    .meta({
      description:
        'Repeats a failed callback on the retry schedule of webhooks, so that it may arrive more than once. Default: one attempt.',
      example: true,
    })
    .optional(),
  assignee: z
    .string()
    .min(1)
    .max(320)
    .meta({
      description: 'Id or email of the user who should decide.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    })
    .optional(),
  policy: TaskPolicy.optional(),
  ...followUpShape,
  requireComment: requireComment.optional(),
  rejectOptions: rejectOptions.optional(),
  dedupeKey: z
    .string()
    .min(1)
    .max(255)
    .meta({
      description:
        'A later request of the account with the same key gets the existing task, or 422 if it differs.',
      example: 'refund-4711',
    })
    .optional(),
  action: TaskAction.optional(),
  metadata,
};

interface TaskRules {
  expiresAt?: string | undefined;
  expiresInSeconds?: number | undefined;
  decisionMode: DecisionMode;
  onExpiry?: ExpiryRule;
  callbackUrl?: string | undefined;
  callbackSecret?: string | undefined;
  callbackRetries?: boolean | undefined;
  action?: TaskAction | undefined;
  policy?: TaskPolicy | undefined;
  remindAfterSeconds?: number | undefined;
  escalateAfterSeconds?: number | undefined;
  escalateTo?: string | undefined;
}

/** Reports contradictions between the properties of a new task. */
function checkTaskRules(task: TaskRules, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (task.expiresAt !== undefined && task.expiresInSeconds !== undefined)
    refuse('expiresInSeconds', 'must not be combined with expiresAt');
  if (task.decisionMode === 'form' && (task.onExpiry ?? 'expire') !== 'expire')
    refuse('onExpiry', 'must be expire in form mode, which has no approval or rejection');
  if (task.callbackSecret !== undefined && task.callbackUrl === undefined)
    refuse('callbackSecret', 'needs a callbackUrl');
  if (task.callbackRetries && task.callbackUrl === undefined)
    refuse('callbackRetries', 'needs a callbackUrl');
  if (task.policy && task.onExpiry === 'approve')
    refuse('onExpiry', 'must be expire or reject with a policy: only its reviewers approve');
  if (task.policy && task.decisionMode === 'form' && (task.policy.approvals ?? 1) !== 1)
    context.addIssue({
      code: 'custom',
      path: ['policy', 'approvals'],
      message: 'must be 1 in form mode, in which one person submits the form',
    });
  checkFollowUps(task, context);
  if (task.action === undefined) return;
  if (task.decisionMode === 'form')
    refuse('action', 'must be absent in form mode, which has no approval to give a receipt for');
  if (task.onExpiry === 'approve')
    refuse('onExpiry', 'must not be approve for a task with an action, which only a person approves');
}

/** Request body of POST /api/mcp/tasks. See docs/reference/tasks.md#create-a-task. */
export const TaskIn = z
  .strictObject(taskShape)
  .superRefine(checkTaskRules)
  .meta({ id: 'TaskIn', description: 'A task to create.' });
export type TaskIn = z.output<typeof TaskIn>;

const { templateId, onExpiry: _onExpiry, ...toolInputs } = taskShape;

/**
 * Arguments of the MCP tools that create a task. The form is named `formId`, and `onExpiry` is
 * omitted, because a tool must not decide a task, not even by letting it expire.
 */
export const TaskToolArguments = z
  .strictObject({ formId: templateId, ...toolInputs })
  .superRefine(checkTaskRules)
  .transform(({ formId, ...rest }): TaskIn => ({ templateId: formId, onExpiry: 'expire', ...rest }))
  // Without an id, the schema is inlined: some MCP clients don't resolve a reference at the root.
  .meta({ description: 'A task to create.' });

const CallbackAttempt = z
  .object({
    at: timeOut('When the callback was sent.'),
    status: z
      .int()
      .meta({ description: 'Status code of the response. Absent without a response.', example: 200 })
      .optional(),
    error: z.string().meta({ description: 'Reason of the failure.', example: 'timeout' }).optional(),
    durationMs: z.number().meta({ description: 'Duration in milliseconds.', example: 38 }),
    responseBody: z
      .string()
      .meta({ description: 'First 4 KiB of the response body; empty without a response.', example: 'ok' }),
  })
  .meta({ id: 'CallbackAttempt', description: 'One attempt to send the callback.' });

const TaskCallback = z
  .object({
    url: z.string().meta({ description: 'URL of the callback.', example: 'https://agent.example.com/done' }),
    state: z.enum(CALLBACK_STATES).meta({
      description:
        '`pending`: not sent yet. `sending`: being sent. `delivered`: the endpoint responded with 2xx. `failed`: it did not. `unknown`: the process ended before the response. Without `callbackRetries`, the callback is sent once.',
      example: 'delivered',
    }),
    attempts: z.array(CallbackAttempt).meta({ description: 'The last 20 attempts, oldest first.' }),
    retries: z
      .literal(true)
      .meta({ description: 'Failed attempts are repeated. Absent otherwise.', example: true })
      .optional(),
    nextAttemptAt: timeOut('When a failed attempt is repeated.').optional(),
  })
  .meta({ id: 'TaskCallback', description: 'State of the callback.' });

/** A task in responses. See docs/reference/tasks.md#task-object. */
export const TaskOut = z
  .object({
    id: idOut('tsk', 'Id of the task.'),
    hitlTaskId: idOut('tsk', 'Same as `id`.'),
    templateId: idOut('frm', 'Form of the task.'),
    title: title.optional(),
    description: description.optional(),
    prefill: values.meta({ description: 'Initial values.', example: { amount: 120 } }),
    editableFields: editableFields.optional(),
    decisionMode,
    priority,
    status: z.enum(TASK_STATUSES).meta({ description: 'Status of the task.', example: 'awaiting' }),
    outcome: z
      .enum(TASK_OUTCOMES)
      .meta({ description: 'Outcome of the decision.', example: 'approved' })
      .optional(),
    formData: values
      .meta({
        description:
          'Values of the decision. In a pending task: the values that a reviewer changed with a vote, on which the next ones vote.',
        example: { amount: 100 },
      })
      .optional(),
    valuesDigest: valuesDigest.optional(),
    comment: comment.optional(),
    rejectOption: z
      .string()
      .meta({ description: 'Chosen reason for the rejection.', example: 'Not ours' })
      .optional(),
    submissionId: idOut('sub', 'Submission that the task created.').optional(),
    createdBy: z.string().meta({
      description: 'API key or user that created the task.',
      example: 'key_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    createdByName: z
      .string()
      .meta({
        description: 'Name of the API key or user when it created the task. Absent on older tasks.',
        example: 'Refund agent',
      })
      .optional(),
    decidedBy: z
      .string()
      .meta({
        description: 'API key or user that resolved the task.',
        example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      })
      .optional(),
    assignee: idOut('usr', 'User who should decide.').optional(),
    policy: TaskPolicy.optional(),
    votes: z
      .array(TaskVote)
      .meta({ description: 'Votes that count, oldest first. Only with a policy.' })
      .optional(),
    progress: TaskProgress.optional(),
    remindAt: timeOut('When a reminder is due. Absent after it.').optional(),
    escalation: z
      .object({
        to: idOut('grp', 'Group that may decide after the escalation.'),
        at: timeOut('When the task escalates or has escalated.'),
        isDone: z.boolean().meta({ description: 'Whether the task has escalated.', example: false }),
      })
      .meta({ id: 'TaskEscalation', description: 'Escalation of the task.' })
      .optional(),
    claim: z
      .object({
        by: z.string().meta({
          description: 'User or API key that claimed the task.',
          example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
        }),
        until: timeOut('When the claim ends.'),
      })
      .meta({ id: 'TaskClaim', description: 'Claim of the task.' })
      .optional(),
    expiresAt: timeOut('When the task expires.'),
    onExpiry,
    resolvedBy: z
      .enum(['human', 'expiry'])
      .meta({ description: 'Whether a decision or the expiry resolved the task.', example: 'human' })
      .optional(),
    requireComment: requireComment.optional(),
    rejectOptions: rejectOptions.optional(),
    callback: TaskCallback.optional(),
    ...taskActionOut,
    metadata: values.meta({ description: 'Data of the creator.', example: { run: 'r-42' } }),
    createdAt: timeOut('When the task was created.'),
    settledAt: timeOut('When the task was resolved.').optional(),
    erasedAt: timeOut('When the values of the task and its submission were erased.').optional(),
  })
  .meta({ id: 'Task', description: 'A task: a decision that a program requests from a person.' });
export type TaskOut = z.output<typeof TaskOut>;

/** Query of the list of tasks. */
export const TaskQuery = PageQuery.extend({
  status: z.enum(TASK_STATUSES).meta({ description: 'Status of the tasks.', example: 'awaiting' }).optional(),
  priority: priority.optional(),
  templateId: templateId.optional(),
  assignee: z
    .string()
    .meta({ description: 'Id of a user.', example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' })
    .optional(),
  q: z
    .string()
    .meta({ description: 'Text that the title or the description must contain.', example: 'refund' })
    .optional(),
  sort: z.enum(['createdAt', 'priority', 'expiresAt']).default('createdAt').meta({
    description: 'Order: newest first, most urgent first, or soonest to expire first.',
    example: 'priority',
  }),
}).meta({ description: 'Filter, order and page of the tasks.' });
export type TaskQuery = z.output<typeof TaskQuery>;

/** Query of GET …/tasks/{id}. */
export const TaskWaitQuery = z
  .strictObject({
    wait: wholeNumberIn({ min: 0, max: MAX_TASK_WAIT, fallback: 0 }).meta({
      description: 'Maximum seconds to wait until the task is resolved.',
      example: 30,
    }),
  })
  .meta({ description: 'Long polling.' });
export type TaskWaitQuery = z.output<typeof TaskWaitQuery>;

/** Request body of POST …/decision. */
export const DecisionIn = z
  .strictObject({
    outcome: z.enum(TASK_OUTCOMES).meta({
      description: '`submitted` in form mode; `approved` or `rejected` in approval mode.',
      example: 'approved',
    }),
    fields: valuesIn().meta({ description: 'Changed values by field name.', example: { amount: 100 } }),
    valuesDigest: valuesDigest
      .max(100)
      .meta({
        description:
          '`valuesDigest` of the task as the reviewer saw it. If the values were changed since, the decision is refused with 409.',
      })
      .optional(),
    comment: comment.optional(),
    rejectOption: z
      .string()
      .meta({ description: "One of the task's reject options.", example: 'Not ours' })
      .optional(),
    mailLink: z
      .string()
      .max(2_000)
      .meta({
        description:
          'Token of the link in an email about the task: works once, and only for the user whom the email was sent to. The history then names the email.',
      })
      .optional(),
  })
  .meta({ id: 'DecisionIn', description: 'A decision about a task.' });
export type DecisionIn = z.output<typeof DecisionIn>;

/** Request body of POST …/cancel, which is optional. */
export const CancelIn = z
  .strictObject({
    reason: z
      .string()
      .max(2_000)
      .meta({ description: 'Reason of the cancellation.', example: 'No longer needed' })
      .optional(),
  })
  .meta({ id: 'CancelIn', description: 'Cancellation of a task.' });
export type CancelIn = z.output<typeof CancelIn>;

const HISTORY_EVENTS = [
  'created',
  'claimed',
  'released',
  'voted',
  'votes_reset',
  'delegated',
  'reminded',
  'escalated',
  'blocked',
  'unblocked',
  'decided',
  'expired',
  'cancelled',
  'callback',
  'redeemed',
] as const;

const DECISION_CHANNELS = ['dashboard', 'mail', 'slack', 'api'] as const;
const DECISION_PROOFS = ['session', 'api_key', 'mail_link', 'slack_user'] as const;

/** One entry of GET …/history. */
export const TaskHistoryOut = z
  .object({
    at: timeOut('When it happened.'),
    event: z.enum(HISTORY_EVENTS).meta({ description: 'Event.', example: 'decided' }),
    by: z
      .string()
      .meta({
        description: 'API key or user. Absent if the expiry or the service caused it.',
        example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      })
      .optional(),
    to: z
      .string()
      .meta({
        description: 'User to whom a vote was delegated, or group to which the task escalated.',
        example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      })
      .optional(),
    outcome: z
      .enum(TASK_OUTCOMES)
      .meta({ description: 'Outcome of the decision, or the vote.', example: 'approved' })
      .optional(),
    channel: z
      .enum(DECISION_CHANNELS)
      .meta({ description: 'Where a person decided or voted.', example: 'dashboard' })
      .optional(),
    proof: z
      .enum(DECISION_PROOFS)
      .meta({
        description:
          'What proved who it was: a login, an API key, a login and the link in an email to this user, or a click of the connected Slack user.',
        example: 'session',
      })
      .optional(),
    comment: comment.optional(),
    reason: z
      .string()
      .meta({ description: 'Reason of the cancellation.', example: 'No longer needed' })
      .optional(),
    state: z
      .enum(CALLBACK_STATES)
      .meta({ description: 'State of the callback.', example: 'failed' })
      .optional(),
    status: z.int().meta({ description: 'Status code of the callback’s response.', example: 500 }).optional(),
    error: z
      .string()
      .meta({ description: 'Why the callback got no response.', example: 'timeout' })
      .optional(),
  })
  .meta({ id: 'TaskHistoryEntry', description: 'An entry in the activity of a task.' });
export type TaskHistoryOut = z.output<typeof TaskHistoryOut>;

/**
 * Request body of POST /api/mcp: one JSON-RPC message. The protocol has no batches. See
 * docs/reference/mcp.md#transport.
 */
export const McpMessage = z.record(z.string(), z.unknown()).meta({
  description: 'One JSON-RPC 2.0 message.',
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
});
export type McpMessage = z.output<typeof McpMessage>;

/** Query of GET /api/mcp/events/{eventType}. See docs/reference/events.md#event-stream. */
export const StreamQuery = z
  .strictObject({
    lastEventId: z
      .string()
      .max(200)
      .meta({
        description: '`id` of the last event read; the header `Last-Event-ID` takes precedence.',
        example: 'm5k2h3-4711',
      })
      .optional(),
    format: z
      .enum(['webhook'])
      .meta({
        description:
          '`webhook`: `data` has the ids of the event and `body`, the exact text of the body that webhooks get.',
      })
      .optional(),
  })
  .meta({
    description: 'Start and format of the stream. Default: new events only, in the format of the stream.',
  });
export type StreamQuery = z.output<typeof StreamQuery>;
