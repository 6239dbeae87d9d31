import { AppError, type RecoverIn } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import { requeued, type RecoveryRecord, type WebhookRecord } from '@svcforms/records';
import { randomUUID } from 'node:crypto';
import { deliveryOut, ownDelivery, type DeliveryRequest } from './deliveries.ts';
import { ownWebhook, type WebhookPath, type WebhooksDeps } from './webhooks.ts';

export interface RequeueDeps extends WebhooksDeps {
  recoveries: Collection<RecoveryRecord>;
}

/** A recovery that nobody could work on for so long isn't wanted any more. */
const RECOVERY_KEPT_MS = 24 * 3600_000;
/** Each of them stays in the delivery, with what the listener answered. */
const MAX_ATTEMPTS = 500;

/** Puts deliveries that have come to their end back into the queue. contract: api.md §5 */
export function createRequeue(deps: RequeueDeps) {
  const { deliveries, recoveries, now } = deps;
  const at = () => new Date(now()).toISOString();

  return {
    /** One that isn't at its end is on its way as it is; one that is scheduled for later goes now. */
    redeliver: async ({ params, caller, note }: DeliveryRequest): Promise<Reply> => {
      const delivery = await ownDelivery(deps, caller, params);
      if (delivery.erasedAt !== undefined) throw erasedError();
      const webhook = await ownWebhook(deps, caller, { ...params, webhookId: delivery.webhookId });
      refuseDisabled(webhook);
      if (delivery.attempts.length >= MAX_ATTEMPTS) {
        throw new AppError(
          'CONFLICT',
          `The delivery was attempted ${delivery.attempts.length} times, which is the most`,
        );
      }
      const changed =
        delivery.status === 'pending' && delivery.dueAt !== undefined
          ? await deliveries.findOneAndUpdate(
              { _id: delivery._id, status: 'pending', dueAt: delivery.dueAt },
              { $set: { dueAt: at() } },
              { returning: 'after' },
            )
          : await deliveries.findOneAndUpdate(
              { _id: delivery._id, status: { $in: ['delivered', 'failed', 'held'] }, erasedAt: null },
              { $set: { ...requeued(delivery, now()), dueAt: at() } },
              { returning: 'after' },
            );
      note({
        event: 'delivery.requeued',
        deliveryId: delivery._id,
        webhookId: webhook._id,
        requeued: !!changed,
      });
      const after = changed ?? (await ownDelivery(deps, caller, params));
      if (after.erasedAt !== undefined) throw erasedError();
      return { data: deliveryOut(after) };
    },

    /** Counts now; the dispatcher does the rest, however many there are. */
    recover: async (request: PathRequest<keyof WebhookPath, unknown, RecoverIn>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      const webhook = await ownWebhook(deps, caller, params);
      const { since, until = at(), dryRun } = body;
      if (!dryRun) refuseDisabled(webhook);
      const count = await deliveries.count({
        webhookId: webhook._id,
        createdAt: { $gte: since, $lt: until },
        status: { $in: ['failed', 'held'] },
        erasedAt: null,
      });
      if (!dryRun && count > 0) {
        await recoveries.insertOne({
          _id: `rec_${randomUUID()}`,
          accountId: webhook.accountId,
          webhookId: webhook._id,
          since,
          until,
          dueAt: at(),
          expireAt: new Date(now() + RECOVERY_KEPT_MS).toISOString(),
        });
      }
      audit(
        dryRun ? null : { changes: { since: { to: since }, until: { to: until }, count: { to: count } } },
      );
      note({
        event: 'webhook.recovery',
        formId: webhook.formId,
        webhookId: webhook._id,
        since,
        until,
        count,
        dryRun,
      });
      return { data: { count, dryRun } };
    },
  };
}

/** Nothing is sent to a disabled webhook: what was put into its queue would only be lost or held there. */
function refuseDisabled({ isEnabled, disabledReason }: WebhookRecord): void {
  if (isEnabled) return;
  throw new AppError(
    'CONFLICT',
    `The webhook is disabled (${disabledReason}); enable it first: PATCH it with {"isEnabled": true}`,
  );
}

const erasedError = () =>
  new AppError('ERASED', 'What the delivery carried was erased; it can not be sent again');
