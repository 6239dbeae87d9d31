import { isoTime } from '@svcforms/primitives';
import type { TaskNotice, TaskRecord } from '@svcforms/records';

/** How often the remaining reviewers of a pending task are counted. */
const REVIEW_CHECK_MS = 5 * 60_000;

/**
 * When a pending task needs something next: its reminder, its escalation, or, with a policy, a
 * check whether enough reviewers are left. `undefined` if never. `now`: milliseconds since the
 * epoch.
 */
export function nextFollowUp(
  {
    remindAt,
    escalateAt,
    escalatedAt,
    policy,
  }: { [K in 'remindAt' | 'escalateAt' | 'escalatedAt' | 'policy']?: TaskRecord[K] | undefined },
  now: number,
): string | undefined {
  const times = [
    remindAt,
    escalatedAt === undefined ? escalateAt : undefined,
    policy && isoTime(now + REVIEW_CHECK_MS),
  ].filter((time) => time !== undefined);
  return times.toSorted()[0];
}

/** The `$push` of emails to queue. ADR 0015 */
export const withNotices = (notices: readonly TaskNotice[]) =>
  notices.length === 0 ? {} : { notices: { $each: [...notices] } };
