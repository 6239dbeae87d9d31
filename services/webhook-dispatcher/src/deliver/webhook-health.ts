import type { Collection, UpdateOperation } from '@svcforms/document-store';
import type { WebhookRecord } from '@svcforms/records';

export interface WebhookHealth {
  /** Notes an attempt. Cheap: nothing is written yet. */
  note(
    webhookId: string,
    attempt: {
      /** ISO 8601. */
      at: string;
      /** The listener's answer; `null` when there was none. */
      status: number | null;
      isSuccess: boolean;
      /** It was the last of its delivery, which has failed. */
      isGivenUp?: boolean;
    },
  ): void;
  /** Writes what was noted, in one go. What couldn't be written is kept for the next time. */
  flush(): Promise<void>;
}

/** What happened at a webhook since the last flush. */
interface Notes {
  lastAttemptAt: string;
  lastStatus: number | null;
  hadSuccess: boolean;
  /** Since the last success, or since the notes began. */
  failures: number;
  firstFailureAt: string | null;
  /** When a delivery was given up since then. */
  givenUpAt: string | null;
}

/** How webhooks are doing, gathered in memory: a busy webhook costs one write a flush, not one an attempt. */
export function createWebhookHealth(webhooks: Pick<Collection<WebhookRecord>, 'bulkUpdate'>): WebhookHealth {
  let notes = new Map<string, Notes>();

  return {
    note(webhookId, { at, status, isSuccess, isGivenUp = false }) {
      const before = notes.get(webhookId);
      notes.set(webhookId, {
        lastAttemptAt: at,
        lastStatus: status,
        hadSuccess: isSuccess || (before?.hadSuccess ?? false),
        failures: isSuccess ? 0 : (before?.failures ?? 0) + 1,
        firstFailureAt: isSuccess ? null : (before?.firstFailureAt ?? at),
        givenUpAt: isSuccess ? null : (before?.givenUpAt ?? (isGivenUp ? at : null)),
      });
    },

    async flush() {
      if (notes.size === 0) return;
      const writing = notes;
      notes = new Map();
      try {
        await webhooks.bulkUpdate([...writing].flatMap(([id, each]) => operationsOf(id, each)));
      } catch (error) {
        for (const [id, later] of notes) {
          const earlier = writing.get(id);
          writing.set(id, earlier ? joined(earlier, later) : later);
        }
        notes = writing;
        throw error;
      }
    },
  };
}

function joined(earlier: Notes, later: Notes): Notes {
  if (later.hadSuccess) return later;
  return {
    ...later,
    hadSuccess: earlier.hadSuccess,
    failures: earlier.failures + later.failures,
    firstFailureAt: earlier.firstFailureAt ?? later.firstFailureAt,
    givenUpAt: earlier.givenUpAt ?? later.givenUpAt,
  };
}

function operationsOf(_id: string, notes: Notes): UpdateOperation[] {
  const { lastAttemptAt, lastStatus, hadSuccess, failures, firstFailureAt, givenUpAt } = notes;
  const last = { lastAttemptAt, lastStatus };
  if (hadSuccess) {
    const since = { consecutiveFailures: failures, failingSince: firstFailureAt };
    return [
      {
        filter: { _id },
        update: {
          $set: { ...last, ...since, ...(givenUpAt && { givenUpAt }) },
          $unset: { warnedAt: true, ...(givenUpAt ? {} : { givenUpAt: true }) },
        },
      },
    ];
  }
  return [
    { filter: { _id }, update: { $set: last, $inc: { consecutiveFailures: failures } } },
    { filter: { _id, failingSince: null }, update: { $set: { failingSince: firstFailureAt } } },
    ...(givenUpAt
      ? [{ filter: { _id, givenUpAt: { $exists: false } }, update: { $set: { givenUpAt } } }]
      : []),
  ];
}
