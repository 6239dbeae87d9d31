import type { Collection, UpdateOperation } from '@svcforms/document-store';
import {
  charactersOf,
  isoTime,
  keysetPages,
  LOOK_AHEAD_MS,
  rowsThatFit,
  type Clock,
  type Logger,
} from '@svcforms/primitives';
import { requeued, waitingKey, type DeliveryRecord, type RecoveryRecord } from '@svcforms/records';
import { createAccountTurns } from '../store/account-turns.ts';
import type { Permits } from './permits.ts';

/** Deliveries of the first page, whose size isn't known before. */
const FIRST_PAGE = 8;
/** A delivery may have a megabyte, of which a recovery only needs the id and the status. */
const PAGE = { maxRows: 100, maxCharacters: 2 * 1024 ** 2 };
/** A process renews its claim on a recovery with each page. */
const CLAIM_MS = 30_000;

interface RecoveryDeps {
  recoveries: Pick<Collection<RecoveryRecord>, 'findOne' | 'findOneAndUpdate' | 'updateOne' | 'deleteOne'>;
  deliveries: Pick<Collection<DeliveryRecord>, 'find' | 'bulkUpdate'>;
  permits: Pick<Permits<unknown>, 'markBacklog'>;
  /** Called when there is something to start. */
  onReady: () => void;
  log: Pick<Logger, 'info'>;
  /** Stops between two pages; another process continues when the claim has expired. */
  signal: AbortSignal;
  now: Clock;
}

/**
 * Runs the requested recoveries: moves failed and held deliveries to their webhook's backlog, page
 * by page, so that a recovery of any size needs little memory and delays no other webhook. The
 * backlog is sorted by creation, so they come before newer deliveries. Accounts take turns. A
 * recovery that a crash interrupts continues. Returns when the first one is or was due.
 * docs/reference/webhooks.md#retry-and-recover
 */
export function createRecovery(deps: RecoveryDeps): () => Promise<string | undefined> {
  const { recoveries, deliveries, permits, onReady, log, signal, now } = deps;

  const claim = createAccountTurns((of) =>
    recoveries.findOneAndUpdate(
      { ...of, dueAt: { $lte: isoTime(now()) } },
      { $set: { dueAt: isoTime(now() + CLAIM_MS) } },
      { sort: ['accountId', 'dueAt'] },
    ),
  );

  return async function recoverAll() {
    // Usually nothing is due, and a query costs less than an update.
    const first = await recoveries.findOne(
      { dueAt: { $lte: isoTime(now() + LOOK_AHEAD_MS) } },
      { sort: ['dueAt'] },
    );
    while (first && !signal.aborted) {
      const recovery = await claim();
      if (!recovery) break;
      const count = await recover(recovery);
      if (signal.aborted) break;
      const { _id, accountId, webhookId, since, until, run = null } = recovery;
      // It stays if it was requested again meanwhile, and runs again when the claim expires.
      await recoveries.deleteOne({ _id, run });
      log.info(
        { event: 'webhook.recovered', accountId, webhookId, since, until, count },
        'recovered the failed and held deliveries of a webhook',
      );
    }
    return first?.dueAt;
  };

  async function recover(recovery: RecoveryRecord): Promise<number> {
    const { _id, webhookId, accountId, since, until, run = _id } = recovery;
    let count = 0;
    const pages = keysetPages({
      read: (after: readonly string[] | undefined, limit) =>
        deliveries.find(
          { webhookId, createdAt: { $gte: since, $lt: until } },
          { sort: ['-createdAt', '-_id'], limit, ...(after && { after }) },
        ),
      keyOf: (delivery) => [delivery.createdAt, delivery._id],
      pageSize: FIRST_PAGE,
      nextSize: (page) => rowsThatFit(page, charactersOf, PAGE),
    });
    for await (const page of pages) {
      const operations = page.filter(isRecoverable).map((delivery) => requeue(delivery, run));
      if (operations.length > 0) {
        count += await deliveries.bulkUpdate(operations);
        permits.markBacklog({ webhookId, accountId });
        onReady();
      }
      if (signal.aborted) break;
      await recoveries.updateOne({ _id }, { $set: { dueAt: isoTime(now() + CLAIM_MS) } });
    }
    return count;
  }

  /** Each run requeues a delivery once: what has failed again since then stays failed. */
  function requeue(delivery: DeliveryRecord, run: string): UpdateOperation<DeliveryRecord> {
    return {
      filter: {
        _id: delivery._id,
        status: { $in: ['failed', 'held'] },
        recoveredBy: { $ne: run },
        wasDelivered: null,
        erasedAt: null,
      },
      update: {
        $set: {
          ...requeued(delivery, now()),
          recoveredBy: run,
          waiting: waitingKey(delivery, delivery.createdAt),
        },
        $unset: { dueAt: true, owner: true },
      },
    };
  }
}

function isRecoverable({ status, wasDelivered, erasedAt }: DeliveryRecord): boolean {
  return (status === 'failed' || status === 'held') && !wasDelivered && erasedAt === undefined;
}
