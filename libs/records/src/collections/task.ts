import type {
  CallbackState,
  DecisionMode,
  ExpiryRule,
  TaskHistoryOut,
  TaskOutcome,
  TaskPriority,
  TaskStatus,
} from '@svcforms/contracts';
import type { CollectionSpec } from '@svcforms/document-store';
import { PENDING_INDEX, type WithPendingEvents } from '@svcforms/outbox';
import type { TraceContext } from '@svcforms/primitives';
import { createHash } from 'node:crypto';

export type TaskCallbackAttempt = {
  /** ISO 8601. */
  at: string;
  status?: number;
  error?: string;
  durationMs: number;
  responseBody: string;
};

export type TaskCallbackRecord = {
  url: string;
  /** Sealed in the context `callbackSecretContext(task id)`. Absent if callbacks aren't signed. */
  secret?: string;
  state: CallbackState;
  attempts: TaskCallbackAttempt[];
  /**
   * The event of the callback, set when the task ends. Absent in tasks that an older version
   * expired or cancelled.
   */
  eventId?: string;
  /** The process that sends the callback. */
  owner?: string;
  /** Whether failed attempts are repeated. */
  retries?: true;
  /** With `retries`: the failed attempts since the task ended or the last redelivery. */
  failures?: number;
};

/** A vote that counts. A type, because interfaces aren't assignable to JSON values. */
export type TaskVoteRecord = {
  /** Id of the user. */
  by: string;
  byName?: string;
  outcome: TaskOutcome;
  /** ISO 8601. */
  at: string;
  comment?: string;
  /** Id of the user's API key. */
  via?: string;
};

/** The message about a task in a Slack channel. ADR 0063 */
type TaskSlackRecord = {
  channel: string;
  /** The id of the message in its channel. Absent until it is posted. */
  ts?: string;
  /** Failed calls since the last one that succeeded. */
  failures?: number;
  /** The process that posts or updates the message, and when another one may. ISO 8601. */
  owner?: string;
  leaseUntil?: string;
};

/** An email about a task that isn't queued yet. */
export type TaskNotice = {
  kind: 'reminder' | 'escalation' | 'nobody_to_escalate' | 'delegation' | 'blocked' | 'approve_again';
  /** ISO 8601. */
  at: string;
  /** Ids of the users who get it. */
  to: string[];
};

/** A stored task. docs/reference/tasks.md#task-object */
export interface TaskRecord extends WithPendingEvents {
  formId: string;
  title?: string;
  description?: string;
  /** JSON text like `formData` and `metadata`, because clients choose the keys. */
  prefill: string;
  editableFields?: string[];
  decisionMode: DecisionMode;
  priority: TaskPriority;
  /** The priority as a number, for sorting. */
  rank: number;
  status: TaskStatus;
  outcome?: TaskOutcome;
  formData?: string;
  comment?: string;
  rejectOption?: string;
  /** Set by the update that resolves the task. The submission is stored after it. */
  submissionId?: string;
  /** The version of the form that was published at that time. Absent in tasks of older versions. */
  formVersion?: number;
  /** Whether that submission emits `form.submission.new`. */
  emitsSubmission?: boolean;
  createdBy: string;
  /** The name of the API key or user when it created the task. Older tasks have none. */
  createdByName?: string;
  decidedBy?: string;
  assignee?: string;
  /** The user of the task in its events. */
  userId: string;
  claimedBy?: string;
  claimedUntil?: string;
  expiresAt: string;
  /** `expiresAt` while the task is `awaiting`. */
  dueAt?: string;
  onExpiry: ExpiryRule;
  resolvedBy?: 'human' | 'expiry';
  /**
   * Who decides it. Absent: everyone with the scope, and the first decision counts.
   * docs/reference/tasks.md#policies
   */
  policy?: { approvals: number | 'all'; users: string[]; groups: string[] };
  /** Whether the policy is the default of the form. */
  hasDefaultPolicy?: true;
  /** With a policy, and for Slack: ids of the keys, grants and users that count as the creator. */
  creators?: string[];
  /** With a policy that names people: ids of those who may vote at the creation, for its emails. */
  firstReviewers?: string[];
  /** With a policy: the votes that count. */
  votes?: TaskVoteRecord[];
  /**
   * Changes with every vote and delegation, so that of concurrent ones each sees the one before.
   */
  revision?: number;
  /** JSON text of the values that reviewers changed with their votes. */
  proposal?: string;
  /** Votes that were handed to somebody else, in order. Ids of users. */
  delegations?: { from: string; to: string }[];
  remindAt?: string;
  escalateAt?: string;
  /** Id of a group. */
  escalateTo?: string;
  escalatedAt?: string;
  /** Since when too few people are left to approve it. */
  blockedAt?: string;
  /**
   * Since when it has all approvals and only needs one of those who approved it to approve again.
   */
  approveAgainAt?: string;
  /**
   * While it is `awaiting`: when the next reminder, escalation or check of the remaining reviewers
   * is due.
   */
  followUpAt?: string;
  /** Emails that aren't queued yet. ADR 0015 */
  notices?: TaskNotice[];
  /**
   * The time of the newest notice, and what makes it unique; see `noticesMark`. Absent without
   * `notices`.
   */
  noticesAt?: string;
  slack?: TaskSlackRecord;
  /** When the message must be posted or updated. Absent if it is up to date. */
  slackDue?: string;
  /**
   * When the reviewers get an email because the message isn't posted. Absent if it is, or if they
   * do.
   */
  slackMailAt?: string;
  requireComment?: ('approved' | 'rejected')[];
  rejectOptions?: string[];
  callback?: TaskCallbackRecord;
  /**
   * When a process has to handle the callback: its next attempt, or the end of the sending
   * process's lease.
   */
  callbackDue?: string;
  cancelReason?: string;
  /** `<account id>|<dedupe key>`; of an erased task, see `erasedDedupe`. */
  dedupe?: string;
  /**
   * The hash of the requested prefill. Only with a dedupe key; absent in tasks of older versions.
   */
  prefillHash?: string;
  /** The action that the task asks to approve, as canonical JSON (RFC 8785). */
  action?: string;
  actionDigest?: string;
  /** The receipt of the approval (JWT). Only with an action, and only if a person approved it. */
  receipt?: string;
  receiptRedeemedAt?: string;
  /**
   * Names the request that redeemed it, which gets its response again when it is repeated. Absent
   * in tasks of older versions.
   */
  redemptionId?: string;
  metadata: string;
  /**
   * A position of the event stream from before the events of the task. Absent if the bus had none,
   * and in tasks of the MCP server and of older versions.
   */
  cursor?: string;
  history: TaskHistoryOut[];
  /** Ids of links in emails that were used for votes. */
  usedLinks?: string[];
  createdAt: string;
  settledAt?: string;
  /** The trace of the request that ended it. */
  trace?: TraceContext;
  /**
   * When its values were erased. Without an account, the document is the tombstone of a deleted
   * task; otherwise only the submission of the task was erased. ISO 8601.
   */
  erasedAt?: string;
}

export const TASKS: CollectionSpec<TaskRecord> = {
  name: 'tasks',
  indexes: [
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['accountId', '-rank', '-createdAt', '-_id'] },
    { keys: ['accountId', 'expiresAt', '_id'] },
    // Few tasks are pending beside all that were resolved, and every open dashboard lists them.
    { keys: ['accountId', 'status', '-createdAt', '-_id'] },
    { keys: ['accountId', 'status', '-rank', '-createdAt', '-_id'] },
    { keys: ['accountId', 'status', 'expiresAt', '_id'] },
    // Retention and the deletion of a form read the tasks of one form among those of all others.
    { keys: ['formId', '-createdAt', '-_id'] },
    { keys: ['dedupe'], unique: true, sparse: true },
    { keys: ['dueAt'], sparse: true },
    { keys: ['callbackDue'], sparse: true },
    { keys: ['followUpAt'], sparse: true },
    { keys: ['noticesAt'], sparse: true },
    { keys: ['slackDue'], sparse: true },
    { keys: ['slackMailAt'], sparse: true },
    PENDING_INDEX,
  ],
};

/** The fields that only a pending task has. */
export const PENDING_TASK_FIELDS = [
  'dueAt',
  'claimedBy',
  'claimedUntil',
  'followUpAt',
  'proposal',
  'blockedAt',
  'approveAgainAt',
  'slackMailAt',
] as const satisfies readonly (keyof TaskRecord)[];

/** The values that a pending task would be approved with. */
export const pendingValues = ({
  proposal,
  prefill,
}: Pick<TaskRecord, 'proposal' | 'prefill'>): Record<string, unknown> =>
  JSON.parse(proposal ?? prefill) as Record<string, unknown>;

/** The digest of {@link pendingValues} as they are stored. */
export const valuesDigest = ({ proposal, prefill }: Pick<TaskRecord, 'proposal' | 'prefill'>): string =>
  createHash('sha256')
    .update(proposal ?? prefill)
    .digest('base64url');

/** The context to which a callback's sealed secret is bound. */
export const callbackSecretContext = (taskId: string): string => `tasks/${taskId}/callback`;
