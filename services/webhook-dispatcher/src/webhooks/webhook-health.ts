import type { Collection, UpdateOperation } from '@svcforms/document-store';
import type { WebhookRecord } from '@svcforms/records';

export interface WebhookHealth {
  /**
   * Notes an attempt in memory. `webhook`: as it was then, because an attempt says nothing about a
   * later URL.
   */
  note(
    webhook: Pick<WebhookRecord, '_id' | 'url'>,
    attempt: {
      /** ISO 8601. */
      at: string;
      /** The status code of the response; `null` without a response. */
      status: number | null;
      /** Why it failed, as one word. */
      error?: string | undefined;
      isSuccess: boolean;
      /** It was the last attempt of its delivery, which has failed. */
      isFinalFailure?: boolean;
    },
  ): void;
  /**
   * Writes the notes in one batch, after those of an earlier call. Notes that couldn't be written
   * are kept.
   */
  flush(): Promise<void>;
}

/** What happened at a URL of a webhook since the last flush. */
interface Notes {
  webhook: Pick<WebhookRecord, '_id' | 'url'>;
  lastAttemptAt: string;
  lastStatus: number | null;
  lastError: string | undefined;
  hadSuccess: boolean;
  /** Since the last success or the last flush, whichever is later. */
  failures: number;
  firstFailureAt: string | null;
  /** The first final failure since then. */
  givenUpAt: string | null;
}

/**
 * The health of webhooks, collected in memory: a busy webhook costs one write per flush instead of
 * one per attempt.
 */
export function createWebhookHealth(webhooks: Pick<Collection<WebhookRecord>, 'bulkUpdate'>): WebhookHealth {
  let notes = new Map<string, Notes>();
  let last: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (notes.size === 0) return;
    const writing = notes;
    notes = new Map();
    try {
      await webhooks.bulkUpdate([...writing.values()].flatMap(operationsOf));
    } catch (error) {
      for (const [key, later] of notes) {
        const earlier = writing.get(key);
        writing.set(key, earlier ? merged(earlier, later) : later);
      }
      notes = writing;
      throw error;
    }
  }

  return {
    note({ _id, url }, { at, status, error, isSuccess, isFinalFailure = false }) {
      const key = `${_id} ${url}`;
      const before = notes.get(key);
      notes.set(key, {
        webhook: { _id, url },
        lastAttemptAt: at,
        lastStatus: status,
        lastError: error,
        hadSuccess: isSuccess || (before?.hadSuccess ?? false),
        failures: isSuccess ? 0 : (before?.failures ?? 0) + 1,
        firstFailureAt: isSuccess ? null : (before?.firstFailureAt ?? at),
        givenUpAt: isSuccess ? null : (before?.givenUpAt ?? (isFinalFailure ? at : null)),
      });
    },

    flush() {
      const done = last.then(write);
      last = done.catch(() => {});
      return done;
    },
  };
}

function merged(earlier: Notes, later: Notes): Notes {
  if (later.hadSuccess) return later;
  return {
    ...later,
    hadSuccess: earlier.hadSuccess,
    failures: earlier.failures + later.failures,
    firstFailureAt: earlier.firstFailureAt ?? later.firstFailureAt,
    givenUpAt: earlier.givenUpAt ?? later.givenUpAt,
  };
}

function operationsOf(notes: Notes): UpdateOperation<WebhookRecord>[] {
  const { _id, url } = notes.webhook;
  const { lastAttemptAt, lastStatus, lastError, hadSuccess, failures, firstFailureAt, givenUpAt } = notes;
  const last = { lastAttemptAt, lastStatus, ...(lastError === undefined ? {} : { lastError }) };
  // Failures from before the webhook was enabled don't count.
  const startedOver = [{ startedOverAt: null }, { startedOverAt: { $lte: firstFailureAt ?? lastAttemptAt } }];
  const failing = { _id, url, $or: startedOver };
  if (hadSuccess) {
    const since = { consecutiveFailures: failures, failingSince: firstFailureAt };
    return [
      {
        filter: failures > 0 ? failing : { _id, url },
        update: {
          $set: { ...last, ...since, ...(givenUpAt && { givenUpAt }) },
          $unset: {
            warnedAt: true,
            ...(givenUpAt ? {} : { givenUpAt: true }),
            ...(lastError === undefined ? { lastError: true } : {}),
          },
        },
      },
      ...(firstFailureAt === null
        ? []
        : [{ filter: { _id, url, startedOverAt: { $gt: firstFailureAt } }, update: { $set: last } }]),
    ];
  }
  return [
    { filter: { _id, url }, update: { $set: last } },
    { filter: failing, update: { $inc: { consecutiveFailures: failures } } },
    { filter: { ...failing, failingSince: null }, update: { $set: { failingSince: firstFailureAt } } },
    ...(givenUpAt
      ? [{ filter: { ...failing, givenUpAt: { $exists: false } }, update: { $set: { givenUpAt } } }]
      : []),
  ];
}
