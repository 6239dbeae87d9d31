import type { Collection, UpdateOperation } from '@svcforms/document-store';
import { requeued, waitingKey, type DeliveryRecord, type RecoveryRecord } from '@svcforms/records';
import type { Places } from './places.ts';

const BATCH_SIZE = 200;
/** A process that works on a recovery says so again with each batch. */
const LEASE_MS = 30_000;

export interface RecoveryDeps {
  recoveries: Collection<RecoveryRecord>;
  deliveries: Collection<DeliveryRecord>;
  places: Pick<Places<unknown>, 'markWaiting'>;
  /** Called when there is something to run. */
  wake: () => void;
  log: { info(fields: object, message: string): void };
  /** Stops between two batches; another process goes on when the lease has run out. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Works off recoveries that were asked for: what failed or was held goes to the end of the webhook's queue, batch by batch, so
 * that a backlog of any size takes no memory and keeps nobody waiting. What a crash interrupts is gone on with.
 */
export function createRecovery(deps: RecoveryDeps): () => Promise<void> {
  const { recoveries, deliveries, places, wake, log, signal, now } = deps;
  const iso = (time: number) => new Date(time).toISOString();

  return async function recoverAll() {
    while (!signal.aborted) {
      const recovery = await recoveries.findOneAndUpdate(
        { dueAt: { $lte: iso(now()) } },
        { $set: { dueAt: iso(now() + LEASE_MS) } },
        { sort: ['dueAt'] },
      );
      if (!recovery) return;
      const count = await work(recovery);
      if (signal.aborted) return;
      await recoveries.deleteOne({ _id: recovery._id });
      const { accountId, webhookId, since, until } = recovery;
      log.info(
        { event: 'webhook.recovered', accountId, webhookId, since, until, count },
        'failed and held deliveries are in the queue again',
      );
    }
  };

  async function work({ _id, webhookId, accountId, since, until }: RecoveryRecord): Promise<number> {
    let count = 0;
    let after: readonly string[] | undefined;
    while (!signal.aborted) {
      const found = await deliveries.find(
        { webhookId, createdAt: { $gte: since, $lt: until } },
        { sort: ['-createdAt', '-_id'], limit: BATCH_SIZE, ...(after && { after }) },
      );
      const operations = found
        .filter(
          ({ status, erasedAt }) => (status === 'failed' || status === 'held') && erasedAt === undefined,
        )
        .map((delivery) => requeue(delivery, _id));
      if (operations.length > 0) {
        count += await deliveries.bulkUpdate(operations);
        places.markWaiting({ webhookId, accountId });
        wake();
      }
      const last = found.at(-1);
      if (!last || found.length < BATCH_SIZE) return count;
      after = [last.createdAt, last._id];
      await recoveries.updateOne({ _id }, { $set: { dueAt: iso(now() + LEASE_MS) } });
    }
    return count;
  }

  /** By the same recovery once: what has failed again meanwhile stays so. */
  function requeue(delivery: DeliveryRecord, recoveryId: string): UpdateOperation {
    return {
      filter: {
        _id: delivery._id,
        status: { $in: ['failed', 'held'] },
        recoveredBy: { $ne: recoveryId },
        erasedAt: null,
      },
      update: {
        $set: {
          ...requeued(delivery, now()),
          recoveredBy: recoveryId,
          waiting: waitingKey(delivery, delivery.createdAt),
        },
        $unset: { dueAt: true, owner: true },
      },
    };
  }
}
