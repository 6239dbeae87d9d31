import type { Json, Update } from '@svcforms/document-store';
import { isoTime } from '@svcforms/primitives';
import type { DeliveryAttempt, DeliveryRecord } from '@svcforms/records';
import type { Feedback } from './permit-rules.ts';

/** The state that this process leaves a delivery in. */
export interface Completion {
  status: DeliveryRecord['status'];
  /** When the next attempt is due. Milliseconds since the epoch. */
  dueAt?: number | undefined;
  /** The attempt that was made, if any. */
  attempt?: DeliveryAttempt;
  /** How the webhook's concurrency adapts. */
  feedback: Feedback;
}

/** The completion as an update of the stored delivery. It also ends the lease. */
export function completionUpdate({ status, dueAt, attempt }: Completion): Update<DeliveryRecord> {
  return {
    $set: { status, ...(dueAt && { dueAt: isoTime(dueAt) }) },
    $unset: { owner: true, ...(dueAt ? {} : { dueAt: true }) },
    ...(attempt && { $push: { attempts: attempt satisfies Json } }),
  };
}

/** The same change to a delivery that isn't stored yet. */
export function completed(record: DeliveryRecord, { status, dueAt, attempt }: Completion): DeliveryRecord {
  const { owner: _owner, dueAt: _lease, ...rest } = record;
  const attempts = attempt ? [...record.attempts, attempt] : record.attempts;
  return { ...rest, status, attempts, ...(dueAt && { dueAt: isoTime(dueAt) }) };
}
