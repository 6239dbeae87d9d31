import {
  AppError,
  type AccountDeliveryQuery,
  type DeliveryDetailOut,
  type DeliveryDetailQuery,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type Reply, type RouteRequest } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import { type DeliveryRecord, type FormRecord, ownForm, type WebhookRecord } from '@svcforms/records';
import type { PayloadRenderer } from '@svcforms/payload-formats';
import { deliveryOut, statusFilter } from './delivery-out.ts';
import { createDeliveryRequest } from './delivery-request.ts';
import { ownWebhook, type WebhookRequest } from './own-webhook.ts';

interface DeliveriesDeps {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
  deliveries: Collection<DeliveryRecord>;
  renderer: PayloadRenderer;
  /** The origin of links in payloads. */
  baseUrl: string;
}

interface DeliveryPath {
  /** Absent for account webhooks. */
  formId?: string;
  /** Absent where the path names a delivery of any webhook of the form or account. */
  webhookId?: string;
  deliveryId: string;
}

export type DeliveryRequest = RouteRequest<unknown, unknown, Caller, DeliveryPath>;

/** The deliveries of a webhook. */
export function createDeliveries(deps: DeliveriesDeps) {
  const requestOf = createDeliveryRequest(deps);
  return {
    list: async ({
      params,
      query,
      caller,
    }: WebhookRequest<unknown, AccountDeliveryQuery>): Promise<Reply> => {
      const webhook = await ownWebhook(deps, caller, params);
      const { status, eventType, tests, ...page } = query;
      const filter = {
        webhookId: webhook._id,
        ...statusFilter(status, tests === 'include'),
        ...(eventType === undefined ? {} : { eventType }),
      };
      const { items, pagination } = await findPage(deps.deliveries, filter, {
        prefix: 'del',
        ...page,
        sizeOf: charactersIn,
      });
      return { data: items.map(deliveryOut), pagination };
    },

    get: async ({
      params,
      query,
      caller,
    }: RouteRequest<DeliveryDetailQuery, unknown, Caller, DeliveryPath>): Promise<Reply> => {
      const delivery = await ownDelivery(deps, caller, params);
      const data: DeliveryDetailOut = deliveryOut(delivery);
      return { data: query.include ? { ...data, request: await requestOf(delivery) } : data };
    },
  };
}

const charactersIn = ({ body, attempts }: DeliveryRecord): number =>
  attempts.reduce((sum, { responseBody }) => sum + responseBody.length, body.length);

/**
 * Returns a delivery of the caller's form or account, and of the webhook if the path names one.
 * Those of a deleted webhook may be stored for a while, but exist no longer. ADR 0100
 * @throws AppError `NOT_FOUND`
 */
export async function ownDelivery(
  deps: Pick<DeliveriesDeps, 'forms' | 'deliveries' | 'webhooks'>,
  caller: Caller,
  { formId, webhookId, deliveryId }: DeliveryPath,
): Promise<DeliveryRecord> {
  const owner =
    formId === undefined
      ? { accountId: caller.accountId, ofAccount: true as const }
      : { formId: (await ownForm(deps.forms, caller, formId))._id, ofAccount: { $exists: false } };
  const delivery = await deps.deliveries.findOne({
    _id: deliveryId,
    ...owner,
    ...(webhookId === undefined ? {} : { webhookId }),
  });
  if (!delivery || !(await deps.webhooks.findOne({ _id: delivery.webhookId })))
    throw new AppError('NOT_FOUND', 'There is no such delivery. Deliveries are kept for 30 days.');
  return delivery;
}
