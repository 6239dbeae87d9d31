import type { QuarantineReason, SubmissionOut } from '@svcforms/contracts';
import type { CollectionSpec, Filter } from '@svcforms/document-store';
import { PENDING_INDEX, type WithPendingEvents } from '@svcforms/outbox';
import type { FormRecord } from './form.ts';

/** The source of a submission. IP address and user agent only if the form asks for them. */
export type SubmissionMetadata = {
  submittedVia: 'web' | 'inbound' | 'task';
  ipAddress?: string;
  userAgent?: string;
  page?: string;
  /** The task that created it. */
  taskId?: string;
  /** The user or key that resolved that task. */
  resolvedBy?: 'human' | 'expiry';
};

/** A stored submission with its pending events. */
export interface SubmissionRecord extends WithPendingEvents {
  formId: string;
  /** JSON text of the values by field name, because senders choose the names. */
  data: string;
  metadata: SubmissionMetadata;
  /**
   * The published version of the form that was submitted. Absent in submissions of older versions.
   */
  formVersion?: number;
  /** Its seat in a form with a maximum number of submissions; unique. ADR 0078 */
  seat?: string;
  /** The number of chained webhook deliveries that led to it; absent for 0. */
  hops?: number;
  /** ISO 8601. */
  createdAt: string;
  /** Present while the submission is in quarantine; absent when it is accepted. */
  quarantineReason?: QuarantineReason;
  /**
   * `<form>|<createdAt>|<id>` while the submission is in quarantine. Few submissions have it, so
   * that its index costs the others nothing.
   */
  quarantineKey?: string;
  /** Set before its values are erased, so that it can't be released anymore. */
  isBeingErased?: true;
  /** When it was released from quarantine, which is when its events happened. ISO 8601. */
  releasedAt?: string;
  /** The id of the token that it used. No other submission has it. */
  tokenId?: string;
  /**
   * When its values were erased. The document is then a tombstone without form and account. ISO
   * 8601.
   */
  erasedAt?: string;
}

export const SUBMISSIONS: CollectionSpec<SubmissionRecord> = {
  name: 'submissions',
  indexes: [
    { keys: ['formId', '-createdAt', '-_id'] },
    { keys: ['seat'], unique: true, sparse: true },
    { keys: ['quarantineKey'], sparse: true },
    { keys: ['tokenId'], unique: true, sparse: true },
    PENDING_INDEX,
  ],
};

/** Matches submissions that aren't in quarantine. */
export const ACCEPTED = { quarantineKey: null } as const satisfies Filter<SubmissionRecord>;

/**
 * Matches the quarantined submissions of a form from a time (ISO 8601) on and before another one.
 */
export function quarantinedIn(
  formId: string,
  { since = '', before = '~' }: { since?: string | undefined; before?: string | undefined } = {},
) {
  // Sorts after all digits, so the default of `before` follows every time.
  return {
    quarantineKey: { $gte: `${formId}|${since}`, $lt: `${formId}|${before}` },
  } satisfies Filter<SubmissionRecord>;
}

/** The IP address and user agent, if the form asks for them. */
export function capturedMetadata(
  form: Pick<FormRecord, 'settings'>,
  request: { ip: string; headers: { 'user-agent'?: string | undefined } },
): Pick<SubmissionMetadata, 'ipAddress' | 'userAgent'> {
  const { includeIp, includeUserAgent } = form.settings.metadata ?? {};
  const userAgent = request.headers['user-agent'];
  return {
    ...(includeIp ? { ipAddress: request.ip } : {}),
    ...(includeUserAgent && userAgent ? { userAgent } : {}),
  };
}

/** A submission as clients get it. */
export function submissionOut(record: SubmissionRecord): SubmissionOut {
  const { _id, formId, formVersion, data, metadata, quarantineReason, createdAt } = record;
  return {
    id: _id,
    formId,
    data: JSON.parse(data) as Record<string, unknown>,
    metadata,
    ...(formVersion !== undefined && { formVersion }),
    status: record.quarantineKey === undefined ? 'accepted' : 'quarantined',
    ...(quarantineReason === undefined ? {} : { quarantineReason }),
    createdAt,
  };
}
