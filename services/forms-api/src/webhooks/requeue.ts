import { AppError, type RecoverIn } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import type { Reply } from '@svcforms/http';
import { DAY_MS, isoTime } from '@svcforms/primitives';
import { formOf, isTestDelivery, requeued, type RecoveryRecord, type WebhookRecord } from '@svcforms/records';
import { hash, randomUUID } from 'node:crypto';
import { ownDelivery, type DeliveryRequest } from './deliveries.ts';
import { deliveryOut } from './delivery-out.ts';
import { ownWebhook, type WebhookRequest } from './own-webhook.ts';
import type { WebhooksDeps } from './webhooks.ts';

export interface RequeueDeps extends WebhooksDeps {
  recoveries: Collection<RecoveryRecord>;
}

/** A recovery that couldn't run for this long is dropped. */
const RECOVERY_TTL_MS = DAY_MS;
/**
 * A recovery without an end includes deliveries that a dispatcher whose clock is ahead has created.
 */
const CLOCK_SKEW_MS = 60_000;
const ENDED = ['delivered', 'failed', 'held'] as const;
/** A delivery keeps every attempt with its response. */
const MAX_ATTEMPTS = 500;

/** Requeues deliveries that have ended. docs/reference/webhooks.md#retry-and-recover */
export function createRequeue(deps: RequeueDeps) {
  const { deliveries, recoveries, now } = deps;

  /** Joins the same recovery if that is open. It then runs again for what has failed since. */
  async function storeRecovery(
    { _id: webhookId, accountId }: WebhookRecord,
    { since, until }: RecoverIn,
    end: string,
  ): Promise<void> {
    const _id = `rec_${hash('sha256', [webhookId, since, until].join('|')).slice(0, 32)}`;
    const given = { until: end, expireAt: isoTime(now() + RECOVERY_TTL_MS), run: randomUUID() };
    for (;;) {
      try {
        await recoveries.insertOne({ _id, accountId, webhookId, since, dueAt: isoTime(now()), ...given });
        return;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      if (await recoveries.updateOne({ _id }, { $set: given })) return;
    }
  }

  return {
    /**
     * A pending delivery that is scheduled for later is sent now; one that is due or being sent is
     * left alone.
     */
    redeliver: async ({ params, caller, note, audit }: DeliveryRequest): Promise<Reply> => {
      const delivery = await ownDelivery(deps, caller, params);
      if (delivery.erasedAt !== undefined) throw erasedError();
      if (isTestDelivery(delivery))
        throw new AppError('CONFLICT', 'A test event is sent once: send another one with POST …/test');
      const webhook = await ownWebhook(deps, caller, { ...params, webhookId: delivery.webhookId });
      requireEnabled(webhook);
      if (delivery.attempts.length >= MAX_ATTEMPTS) {
        throw new AppError('CONFLICT', `The delivery has reached the maximum of ${MAX_ATTEMPTS} attempts`);
      }
      const changed =
        delivery.status === 'pending' && delivery.dueAt !== undefined && delivery.dueAt > isoTime(now())
          ? await deliveries.findOneAndUpdate(
              { _id: delivery._id, status: 'pending', dueAt: delivery.dueAt },
              { $set: { dueAt: isoTime(now()) } },
              { returning: 'after' },
            )
          : await deliveries.findOneAndUpdate(
              // The mark depends on the status that was read, so a delivery that ends meanwhile is
              // left alone.
              {
                _id: delivery._id,
                status: { $in: ENDED.filter((status) => status === delivery.status) },
                erasedAt: null,
              },
              {
                $set: {
                  ...requeued(delivery, now()),
                  dueAt: isoTime(now()),
                  ...(delivery.status === 'delivered' ? { wasDelivered: true } : {}),
                },
              },
              { returning: 'after' },
            );
      if (!changed) audit(null);
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

    /** Counts the deliveries. The dispatcher requeues them, however many there are. */
    recover: async (request: WebhookRequest<RecoverIn>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      const webhook = await ownWebhook(deps, caller, params);
      const { since, until = isoTime(now()), dryRun } = body;
      const end = body.until ?? isoTime(now() + CLOCK_SKEW_MS);
      if (!dryRun) requireEnabled(webhook);
      const count = await deliveries.count({
        webhookId: webhook._id,
        createdAt: { $gte: since, $lt: end },
        status: { $in: ['failed', 'held'] },
        wasDelivered: null,
        erasedAt: null,
      });
      if (!dryRun && count > 0) await storeRecovery(webhook, body, end);
      audit(
        dryRun ? null : { changes: { since: { to: since }, until: { to: until }, count: { to: count } } },
      );
      note({
        event: 'webhook.recovery',
        formId: formOf(webhook),
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

/** A disabled webhook receives nothing, so requeued deliveries would only be held or lost. */
function requireEnabled({ isEnabled, disabledReason }: WebhookRecord): void {
  if (isEnabled) return;
  throw new AppError(
    'CONFLICT',
    `The webhook is disabled (${disabledReason}). Enable it first: PATCH it with {"isEnabled": true}`,
  );
}

const erasedError = () =>
  new AppError('ERASED', "The payload of the delivery was erased, so it can't be sent again");
