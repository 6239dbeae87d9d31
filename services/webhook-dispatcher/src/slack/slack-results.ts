import type { Collection } from '@svcforms/document-store';
import { isoTime, pause, type Clock, type Logger } from '@svcforms/primitives';
import type { TaskRecord } from '@svcforms/records';
import type { SlackApi, SlackReply } from '@svcforms/slack';
import type { StoreRetry } from '../store/store-retry.ts';

/**
 * The pauses between the attempts of a call, in seconds. Updates and deletions repeat the last one.
 */
const PAUSES = [1, 2, 4, 8, 15, 30, 60, 300, 900, 3_600];
/**
 * The same for a message that only this process knows, even after a rate limit. It ends with the
 * process.
 */
const SHORT_PAUSES = PAUSES.slice(0, 6);
/** However long Slack asks to wait before the deletion of such a message. */
const MAX_SHORT_PAUSE_MS = 60_000;

type FailedReply = Extract<SlackReply, { ok: false }>;

interface SlackResultsDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOne' | 'updateOne'>;
  slack: Pick<SlackApi, 'call'>;
  /** The id of this process in leases. */
  owner: string;
  retryResult: StoreRetry;
  log: Pick<Logger, 'warn'>;
  /** When it aborts, a pause ends, and the attempt after it is the last. */
  signal: AbortSignal;
  now: Clock;
}

/** Stores the results of calls with the tasks that this process has leased. */
export function createSlackResults({ tasks, slack, owner, retryResult, log, signal, now }: SlackResultsDeps) {
  /** They take minutes while Slack fails, and no other task waits for them. */
  const deletions = new Set<Promise<void>>();

  /**
   * Stores that the message is up to date, unless the task changed meanwhile: then it stays due. If
   * the task was erased meanwhile, or another process has its lease, a message that was just posted
   * is deleted.
   */
  async function finish(
    task: TaskRecord,
    { ts, isDeleted = false }: { ts?: string | undefined; isDeleted?: boolean },
  ): Promise<void> {
    const { _id, slack: sent } = task;
    if (isDeleted) {
      const update = { $unset: { slack: true, slackDue: true } } as const;
      await retryResult(() => tasks.updateOne({ _id, 'slack.owner': owner }, update));
      return;
    }
    if (await retryResult(() => store(task, ts))) return;
    if (sent && ts !== undefined && sent.ts === undefined) await discard(_id, { channel: sent.channel, ts });
  }

  /**
   * Deletes a message that its task doesn't have: it was erased, or another process posted it too.
   */
  async function discard(_id: string, message: { channel: string; ts: string }): Promise<void> {
    const erased = { _id, accountId: '', slack: null };
    const isDue = await retryResult(() =>
      tasks.updateOne(erased, { $set: { slack: message, slackDue: isoTime(now()) } }),
    );
    if (isDue) return;
    const deletion = deleteMessage(_id, message);
    deletions.add(deletion);
    void deletion.then(() => deletions.delete(deletion));
  }

  /** Never rejects. */
  async function deleteMessage(_id: string, message: { channel: string; ts: string }): Promise<void> {
    for (const seconds of [...SHORT_PAUSES, undefined]) {
      const reply = await slack.call('chat.delete', { json: message });
      if (reply.ok) return;
      if (reply.isFinal || seconds === undefined || signal.aborted) {
        const fields = { event: 'slack.failed', taskId: _id, channel: message.channel, reason: reply.error };
        log.warn(fields, "couldn't delete a duplicate Slack message");
        return;
      }
      await pause(Math.min(Math.max(seconds * 1000, reply.pauseMs), MAX_SHORT_PAUSE_MS), signal);
    }
  }

  /** Waits for the deletions that are under way. Call it after `signal` has aborted. */
  async function stop(): Promise<void> {
    await Promise.all(deletions);
  }

  /** Returns whether it is stored, even by an attempt whose response was lost. */
  async function store({ _id, slackDue }: TaskRecord, ts: string | undefined): Promise<boolean> {
    const own = { _id, 'slack.owner': owner };
    const released = { 'slack.owner': true, 'slack.leaseUntil': true, 'slack.failures': true } as const;
    const done = {
      $set: { 'slack.ts': ts },
      $unset: { ...released, ...(ts !== undefined && { slackMailAt: true as const }) },
    };
    const isCurrent = await tasks.updateOne(
      { ...own, slackDue: slackDue ?? null },
      { ...done, $unset: { ...done.$unset, slackDue: true } },
    );
    if (isCurrent || (await tasks.updateOne(own, done))) return true;
    return ts === undefined || (await tasks.findOne({ _id, 'slack.ts': ts })) !== null;
  }

  /**
   * Plans the next attempt. If there is none, or only later, the reviewers get their email at once.
   */
  async function retry(
    { _id, slack: sent, slackDue, slackMailAt }: TaskRecord,
    reply: FailedReply,
  ): Promise<void> {
    const failures = sent?.failures ?? 0;
    // An email replaces a message that isn't posted, but nothing replaces an update or a deletion.
    const lastPause = sent?.ts === undefined ? undefined : PAUSES.at(-1);
    const pauseMs = pauseAfter(reply, PAUSES[failures] ?? lastPause);
    const at = now();
    const isLast = pauseMs === undefined;
    log.warn(
      {
        event: isLast ? 'slack.failed' : 'slack.waiting',
        taskId: _id,
        channel: sent?.channel,
        reason: reply.error,
      },
      isLast ? 'Slack request failed; giving up' : 'Slack request failed; retrying',
    );
    const own = { _id, 'slack.owner': owner };
    const released = { 'slack.owner': true, 'slack.leaseUntil': true } as const;
    if (isLast) {
      await tasks.updateOne(
        { ...own, slackDue: slackDue ?? null },
        {
          $set: { slackMailAt: slackMailAt === undefined ? undefined : isoTime(at) },
          $unset: { ...released, slackDue: true, 'slack.failures': true },
        },
      );
      // If it changed meanwhile, the lease is released, and the next call shows the change.
      await tasks.updateOne(own, { $unset: released });
      return;
    }
    await tasks.updateOne(own, {
      $set: {
        'slack.failures': reply.isRateLimited ? failures : failures + 1,
        slackDue: isoTime(at + pauseMs),
      },
      $unset: released,
    });
  }

  return { finish, retry, stop };
}

/**
 * The milliseconds until the next attempt; `undefined`: there is none. A rate limit is no failure
 * of the call.
 */
function pauseAfter(
  { isFinal, isRateLimited, pauseMs }: FailedReply,
  seconds: number | undefined,
): number | undefined {
  if (isFinal) return undefined;
  if (isRateLimited) return pauseMs;
  return seconds === undefined ? undefined : Math.max(seconds * 1000, pauseMs);
}
